-- The rows of the store contract. Text is compared by bytes (BINARY), instants are milliseconds since 1970.

-- The hot row: everything a step rewrites, and what names it. `row` gives parts and slots a short key and is the
-- order of creation.
create table executions (
  row integer primary key autoincrement,
  namespace text not null,
  archetype text not null,
  id text not null,
  incarnation text not null,
  version integer not null,
  status integer not null, -- 0 open, 1 closed
  wake_at integer,
  state text not null,
  signals text not null,
  incident text,
  created_at integer not null,
  closed_at integer
) strict;

create unique index executions_incarnation on executions (incarnation);
create index executions_key on executions (namespace, archetype, id);
create index executions_due on executions (wake_at)
  where status = 0 and incident is null and wake_at is not null;
create index executions_quarantined on executions (namespace, archetype, id) where incident is not null;
create index executions_closed on executions (closed_at) where status = 1;

-- The attributes of an execution change rarely, so they are not part of the hot row.
create table attributes (
  execution integer primary key,
  data text not null
) strict;

create table parts (
  execution integer not null,
  name text not null,
  stamp integer not null,
  data text not null,
  at integer not null
) strict;

-- Not WITHOUT ROWID: parts are large, and large rows make an index tree deep.
create unique index parts_identity on parts (execution, name, stamp);

-- One tree is both the identity of a slot and the ledger of an execution in order of time.
create table slots (
  execution integer not null,
  nominal integer not null,
  cause text not null,
  until integer not null,
  count integer not null,
  verdict text not null,
  at integer not null,
  run_id text,
  detail text,
  primary key (execution, nominal, cause)
) strict, without rowid;

-- Stretches that began before a range may reach into it. Single slots, nearly all rows, are not in this index.
create index slots_stretches on slots (execution, until) where until > nominal;

-- `row` is the order of insertion, which is the order of start.
create table runs (
  row integer primary key,
  id text not null unique,
  namespace text not null,
  owner text,
  queue text not null,
  name text not null,
  priority real not null,
  state integer not null, -- 0 waiting, 1 leased, 2 done
  outcome text,
  attempt integer not null,
  created_at integer not null,
  available_at integer not null,
  check_at integer,
  started_at integer,
  finished_at integer,
  worker text not null,
  lease_token text not null,
  cancel text not null,
  progress text,
  result text,
  options text not null,
  input text not null,
  alias text,
  ordinal integer,
  exclusive integer not null, -- 0 or 1
  out_of_turn integer not null -- 0 or 1
) strict;

create index runs_waiting on runs (queue, priority desc, available_at, id) where state = 0;
-- Unfinished runs: a small index, however many runs are finished.
create index runs_open on runs (owner, ordinal) where state < 2;
create index runs_checked on runs (check_at) where state < 2 and check_at is not null;
-- The runs of an owner by start. Those in turn (`out_of_turn` 0) have ascending ids too, so they are in the order of their slots as
-- well. Only the others, such as the runs of a backfill, need an index by id: it would touch another page for every fire.
create index runs_owner on runs (owner, out_of_turn, ordinal) where owner is not null;
create index runs_out_of_turn on runs (owner, id) where out_of_turn = 1;
-- Runs with an alias (a workflow id). Runs without one are not in the index.
create index runs_alias on runs (alias, id) where alias is not null;
-- At most one unfinished run of a namespace is exclusive under an alias.
create unique index runs_exclusive on runs (namespace, alias) where exclusive = 1 and state < 2;
create index runs_finished on runs (finished_at) where state = 2;

create table run_logs (
  run_id text not null,
  attempt integer not null,
  lease text not null,
  place integer not null,
  at integer not null,
  text text not null,
  primary key (run_id, attempt, lease, place)
) strict, without rowid;

create trigger runs_logs after delete on runs begin
  delete from run_logs where run_id = old.id;
end;

create table events (
  execution integer not null,
  topic text not null,
  id text not null,
  sequence integer not null,
  state integer not null, -- 0 pending, 1 reserved, 2 consumed, 3 skipped
  holder text,
  attempt integer not null,
  at integer not null,
  changed_at integer not null,
  data text not null
) strict;

create unique index events_identity on events (execution, topic, id);
-- The line of each topic and state: the oldest pending event is found at once, however many there are.
create index events_line on events (execution, topic, state, sequence);
create index events_held on events (execution, holder) where state = 1;
-- Retention sees final events only.
create index events_final on events (changed_at) where state >= 2;

create table audit (
  sequence integer primary key autoincrement,
  namespace text not null,
  target text not null,
  at integer not null,
  actor text not null,
  door text not null,
  action text not null,
  note text not null,
  before text,
  after text
) strict;

create index audit_target on audit (namespace, target);
-- Without it a page of one namespace sorts all of its rows.
create index audit_namespace on audit (namespace);
