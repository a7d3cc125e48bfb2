-- People who sign in to the console. The password is kept as an scrypt hash with its salt and cost.
create table operator_account (
  name text primary key,
  role text not null,
  password text not null,
  created_at bigint not null
);

-- Who is signed in. The token itself is in the browser's cookie alone.
create table operator_session (
  token_sha256 bytea primary key,
  operator text not null references operator_account (name),
  began_at bigint not null,
  used_at bigint not null
);

create index operator_session_by_operator on operator_session (operator);
