import { OperatorError } from '../../../application/errors/operator-error.ts';
import { OPERATOR_ROLES, type OperatorAccount, type OperatorRole } from '../../../domain/accounts/operator-account.ts';
import { askSecret } from '../../ask.ts';
import { type Arguments, type Command, onePositional, UsageError } from '../../command.ts';
import type { Operator } from '../../operator.ts';
import { table } from '../../table.ts';
import { showInstant } from '../../values.ts';

const GENERATE = { value: null, help: 'Makes a password and prints it once, instead of asking for one.' };

export const operatorAdd: Command = {
  name: 'operator add',
  summary: 'Makes the account of a person who signs in to the console.',
  positionals: '<name>',
  options: {
    role: { value: OPERATOR_ROLES.join('|'), help: 'A viewer reads, an operator also acts. Default: viewer.' },
    generate: GENERATE,
  },
  async run({ operators, newPassword }, given) {
    const name = onePositional(given, 'name');
    const role = readRole(given.option('role') ?? 'viewer');
    operators.checkName(name);
    const password = await readPassword(given, newPassword);
    const account = await operators.add(name, role, password.text);
    return {
      text: `${name} can sign in to the console as ${role}.${password.shown}`,
      json: { ...accountJson(account), ...password.json },
    };
  },
};

export const operatorList: Command = {
  name: 'operator list',
  summary: 'Lists the accounts of people who sign in to the console.',
  positionals: '',
  options: {},
  async run({ operators }) {
    const accounts = await operators.list();
    const rows = accounts.map(({ name, role, createdAt }) => [name, role, showInstant(createdAt)]);
    return { text: table(['NAME', 'ROLE', 'CREATED'], rows), json: accounts.map(accountJson) };
  },
};

export const operatorRemove: Command = {
  name: 'operator remove',
  summary: 'Removes an account of the console. Who is signed in with it is signed out.',
  positionals: '<name>',
  options: {},
  async run({ operators }, given) {
    const name = onePositional(given, 'name');
    await operators.remove(name);
    return { text: `${name} was removed.`, json: { name } };
  },
};

export const operatorPassword: Command = {
  name: 'operator password',
  summary: 'Sets another password for an account of the console. Who is signed in with it is signed out.',
  positionals: '<name>',
  options: { generate: GENERATE },
  async run({ operators, newPassword }, given) {
    const name = onePositional(given, 'name');
    const password = await readPassword(given, newPassword);
    await operators.setPassword(name, password.text);
    return { text: `${name} has another password.${password.shown}`, json: { name, ...password.json } };
  },
};

function readRole(text: string): OperatorRole {
  const role = OPERATOR_ROLES.find((one) => one === text);
  if (role === undefined) throw new UsageError(`--role is one of ${OPERATOR_ROLES.join(', ')}.`);
  return role;
}

/** Passwords are never arguments: others on the machine can read those. */
async function readPassword(given: Arguments, newPassword: Operator['newPassword']) {
  if (given.option('generate') !== null) {
    const text = newPassword();
    return { text, shown: `\n\n${text}\n\nThis is the only time the password is shown.`, json: { password: text } };
  }
  const instead = 'With --generate a password is made and printed.';
  const text = await askSecret('Password: ', instead);
  if ((await askSecret('Once more: ', instead)) !== text) {
    throw new OperatorError('refused', 'The two passwords are not the same.');
  }
  return { text, shown: '', json: {} };
}

function accountJson(account: OperatorAccount) {
  return { ...account, createdAt: showInstant(account.createdAt) };
}
