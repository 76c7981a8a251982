-- Runs that people know by a name of their own (a workflow id). The others cost the index nothing.
alter table runs add column alias text;
create index runs_alias on runs (alias, id) where alias is not null;
