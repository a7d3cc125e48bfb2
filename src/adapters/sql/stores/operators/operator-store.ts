import type { OperatorStore } from '../../../../application/ports/storage/operators/operator-store.ts';
import type { OperatorAccount, OperatorRole } from '../../../../domain/accounts/operator-account.ts';
import type { Sql } from '../../engine.ts';

type AccountRow = { readonly name: string; readonly role: OperatorRole; readonly created_at: number };

const COLUMNS = 'name, role, created_at';

export function operatorStore(sql: Sql): OperatorStore {
  /** A session must not begin while its account changes: it would outlive a former password. */
  const lock = (name: string) => sql.lock(`operator ${name}`);
  const endSessionsOf = (name: string) => sql.run('delete from operator_session where operator = $1', [name]);
  return {
    async add({ name, role, createdAt }, passwordHash) {
      const added = await sql.run(
        `insert into operator_account (${COLUMNS}, password) values ($1, $2, $3, $4) on conflict do nothing`,
        [name, role, createdAt, passwordHash],
      );
      return added === 1;
    },
    async list() {
      return (await sql.all<AccountRow>(`select ${COLUMNS} from operator_account order by name`, [])).map(toAccount);
    },
    async find(name) {
      const row = await sql.get<AccountRow & { readonly password: string }>(
        `select ${COLUMNS}, password from operator_account where name = $1`,
        [name],
      );
      return row === null ? null : { account: toAccount(row), passwordHash: row.password };
    },
    async remove(name) {
      lock(name);
      await endSessionsOf(name);
      return (await sql.run('delete from operator_account where name = $1', [name])) === 1;
    },
    async setPassword(name, passwordHash) {
      lock(name);
      const changed = await sql.run('update operator_account set password = $2 where name = $1', [name, passwordHash]);
      await endSessionsOf(name);
      return changed === 1;
    },
    async beginSession(name, passwordHash, tokenSha256, at) {
      lock(name);
      const begun = await sql.run(
        `insert into operator_session (token_sha256, operator, began_at, used_at)
         select $3, name, $4, $4 from operator_account where name = $1 and password = $2`,
        [name, passwordHash, tokenSha256, at],
      );
      return begun === 1;
    },
    async findSession(tokenSha256) {
      const row = await sql.get<AccountRow & { readonly began_at: number; readonly used_at: number }>(
        `select ${COLUMNS}, began_at, used_at from operator_session
         join operator_account on operator_account.name = operator_session.operator where token_sha256 = $1`,
        [tokenSha256],
      );
      return row === null ? null : { operator: toAccount(row), beganAt: row.began_at, usedAt: row.used_at };
    },
    async useSession(tokenSha256, at) {
      await sql.run('update operator_session set used_at = $2 where token_sha256 = $1', [tokenSha256, at]);
    },
    async endSession(tokenSha256) {
      await sql.run('delete from operator_session where token_sha256 = $1', [tokenSha256]);
    },
    async endSessionsBefore(beganAt, usedAt) {
      await sql.run('delete from operator_session where began_at < $1 or used_at < $2', [beganAt, usedAt]);
    },
  };
}

function toAccount({ name, role, created_at: createdAt }: AccountRow): OperatorAccount {
  return { name, role, createdAt };
}
