-- The rows of the store contract. Text is compared by bytes ("C"), which is the order of code points whatever the
-- database's own collation is; instants are milliseconds since 1970 in bigint, so no session setting touches them.

-- The hot row: everything a step rewrites, and what names it. No column that a step changes is in an index, so that an
-- update stays within its page (HOT) and touches no index; `fillfactor` leaves room for a second version of every row, because
-- neighbours were created together and are often due together. `row` gives parts and slots a short key and is the order of
-- creation.
create table executions (
  row bigint generated always as identity primary key,
  namespace text collate "C" not null,
  archetype text collate "C" not null,
  id text collate "C" not null,
  incarnation text collate "C" not null,
  version bigint not null,
  status smallint not null, -- 0 open, 1 closed
  wake_at bigint,
  due_at bigint, -- wake_at of open and healthy executions
  state text collate "C" not null,
  signals text collate "C" not null,
  incident text collate "C",
  created_at bigint not null,
  closed_at bigint
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

create unique index executions_incarnation on executions (incarnation);
create index executions_key on executions (namespace, archetype, id, row);
-- At most one open incarnation lives under a key, also when two nodes create it at the same moment.
create unique index executions_open on executions (namespace, archetype, id) where status = 0;
create index executions_quarantined on executions (namespace, archetype, id, row) where incident is not null;
create index executions_closed on executions (closed_at) where status = 1;

-- When executions are due: the index of `executions.due_at`, as a table of its own, because a moving index entry would
-- make every update of the wide row touch all its indexes. Executions without a wake time are not in it: a million idle ones cost nothing.
create table wakes (
  due_at bigint not null,
  row bigint not null,
  primary key (due_at, row)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The attributes of an execution change rarely, so they are not part of the hot row.
create table attributes (
  execution bigint primary key,
  data text collate "C" not null
);
create index attributes_data on attributes using gin ((data::jsonb) jsonb_path_ops);

create table parts (
  execution bigint not null,
  name text collate "C" not null,
  stamp bigint not null,
  data text collate "C" not null,
  at bigint not null,
  primary key (execution, name, stamp)
);

create table slots (
  execution bigint not null,
  nominal bigint not null,
  cause text collate "C" not null,
  until bigint not null,
  count bigint not null,
  verdict text collate "C" not null,
  at bigint not null,
  run_id text collate "C",
  detail text collate "C",
  primary key (execution, nominal, cause)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Stretches that began before a range may reach into it. Single slots, nearly all rows, are not in this index.
create index slots_stretches on slots (execution, until) where until > nominal;

-- Unfinished runs: a small table that is rewritten all the time and that vacuum keeps small, however many runs are finished.
create table open_runs (
  id text collate "C" not null,
  namespace text collate "C" not null,
  owner text collate "C",
  queue text collate "C" not null,
  name text collate "C" not null,
  priority double precision not null,
  state smallint not null, -- 0 waiting, 1 leased, 2 done
  outcome smallint, -- the place in `runOutcomes`
  attempt integer not null,
  created_at bigint not null,
  available_at bigint not null,
  check_at bigint,
  started_at bigint,
  finished_at bigint,
  worker text collate "C" not null,
  lease_token text collate "C" not null,
  cancel smallint not null, -- 0 none, 1 cancel, 2 terminate
  progress text collate "C",
  result text collate "C",
  options text collate "C" not null,
  input text collate "C" not null,
  alias text collate "C",
  ordinal bigint,
  exclusive smallint not null -- 0 or 1
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

alter table open_runs add primary key (id);
create index open_runs_waiting on open_runs (queue, priority desc, available_at, id) where state = 0;
create index open_runs_held on open_runs (worker) where state = 1;
create index open_runs_owner on open_runs (owner, ordinal);
create index open_runs_checked on open_runs (check_at) where check_at is not null;
create index open_runs_alias on open_runs (alias, id) where alias is not null;
-- At most one unfinished run of a namespace is exclusive under an alias.
create unique index open_runs_exclusive on open_runs (namespace, alias) where exclusive = 1;

-- Finished runs: appended once and never changed. Ids begin with a time, so a partition holds the runs of a day
-- (`run-partitions.ts`), and retention drops whole days.
create table runs (like open_runs) partition by range (id);

alter table runs add primary key (id);
create index runs_owner on runs (owner, ordinal) where owner is not null;
create index runs_alias on runs (alias, id) where alias is not null;
-- All runs by start. Unfinished runs need no such index, because there are few of them; and the runs of one owner are sorted when they
-- are listed by slot, because retention keeps few of them.
create index runs_created on runs (created_at);

-- The runs of all days that have no partition of their own; retention removes them row by row.
create table runs_other partition of runs default;
create index runs_other_finished on runs_other (finished_at);

-- Lines go with their run: the statements that remove runs remove them too.
create table run_logs (
  run_id text collate "C" not null,
  attempt bigint not null,
  lease text collate "C" not null,
  place bigint not null,
  at bigint not null,
  text text collate "C" not null,
  primary key (run_id, attempt, lease, place)
);

-- `fillfactor` leaves room for the versions of an event that is reserved and consumed soon after it was published.
create table events (
  execution bigint not null,
  topic text collate "C" not null,
  id text collate "C" not null,
  sequence bigint not null,
  state smallint not null, -- 0 pending, 1 reserved, 2 consumed, 3 skipped
  holder text collate "C",
  attempt bigint not null,
  at bigint not null,
  changed_at bigint not null,
  data text collate "C" not null,
  primary key (execution, topic, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- The line of each topic and state: the oldest pending event is found at once, however many there are. The condition, which
-- holds for every row, keeps a planner without statistics from using this index where a statement names ids and no state: it
-- would walk over the whole topic for each id.
create index events_line on events (execution, topic, state, sequence) where state >= 0;
create index events_held on events (execution, holder) where state = 1;
-- Retention sees final events only.
create index events_final on events (changed_at) where state >= 2;

create table audit (
  sequence bigint generated always as identity primary key,
  namespace text collate "C" not null,
  target text collate "C" not null,
  at bigint not null,
  actor text collate "C" not null,
  door text collate "C" not null,
  action text collate "C" not null,
  note text collate "C" not null,
  before text collate "C",
  after text collate "C"
);
create index audit_target on audit (namespace, target, sequence);
-- Without it a page of a small namespace walks over the rows of all others.
create index audit_namespace on audit (namespace, sequence);

-- Refuses a commit from within: the statements of a commit and its `commit` travel together, so a write that differs from the
-- expected one must fail in the database to roll back the others.
create function expect(written bigint, wanted bigint, what text) returns void language plpgsql as $$
begin
  if written <> wanted then
    raise exception '%', what using errcode = 'CR001';
  end if;
end
$$;

-- Refuses the insertion of runs of which only some could be inserted, and names all that is in the way of the others. Called only
-- then: a search path of its own costs a little.
create function refuse_taken(wanted text[], namespaces text[], aliases text[], exclusives smallint[], inserted text[])
returns void language plpgsql set search_path from current as $$
declare
  taken json;
begin
  select json_agg(name) into taken from (
    select json_build_object('id', r.id, 'finished', false) as name
    from open_runs r where r.id = any(wanted) and r.id <> all(coalesce(inserted, '{}'))
    union all
    select json_build_object('id', r.id, 'finished', true)
    from unnest(wanted) as w(id) join runs r on r.id = w.id
    union all
    select json_build_object('namespace', r.namespace, 'alias', r.alias, 'runId', r.id)
    from unnest(namespaces, aliases, exclusives) as w(namespace, alias, exclusive)
    join open_runs r on r.namespace = w.namespace and r.alias = w.alias and r.exclusive = 1
    where w.exclusive = 1 and r.id <> all(coalesce(inserted, '{}'))
  ) names;
  raise exception 'names of new runs are in use' using errcode = 'CR002', detail = coalesce(taken::text, '[]');
end
$$;
