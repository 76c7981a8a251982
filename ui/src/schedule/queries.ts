import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Scope } from '../data/api.ts';
import type { BinName, View } from '../timeline/view.ts';

const iso = (at: number) => new Date(at).toISOString();

export function scheduleQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'describe'],
    queryFn: async ({ signal }) => await api.schedules.describe(id, { signal }),
  });
}

export function definitionQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'definition'],
    queryFn: async ({ signal }) => await api.schedules.definition(id, { signal }),
  });
}

export function runsOfQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'runs'],
    queryFn: async ({ signal }) => await api.schedules.runs(id, { limit: 8 }, { signal }),
  });
}

export function auditOfQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'audit'],
    queryFn: async ({ signal }) => await api.audit.list({ target: `schedule/${id}`, limit: 8 }, { signal }),
  });
}

/** A query for the audit of a schedule, long enough to find the last deploy. */
export function declarationQuery({ api, namespace }: Scope, id: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'declaration'],
    queryFn: async ({ signal }) =>
      await api.audit.list({ target: `schedule/${id}`, limit: 100, brief: true }, { signal }),
    staleTime: 10_000,
  });
}

/** The most items of one answer. */
const mostItems = 2000;

export function timelineQuery({ api, namespace }: Scope, id: string, { from, to }: View) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'slots', from, to],
    queryFn: async ({ signal }) =>
      await api.insight.timeline(id, { from: iso(from), to: iso(to), limit: mostItems }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export function binsQuery({ api, namespace }: Scope, id: string, { from, to }: View, bin: BinName) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'bins', bin, from, to],
    queryFn: async ({ signal }) =>
      await api.insight.bins(id, { from: iso(from), to: iso(to), bin }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // No event reports that a slot has passed during a pause.
    refetchInterval: 600_000,
  });
}

export function stretchesQuery({ api, namespace }: Scope, id: string, { from, to }: View) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'stretches', from, to],
    queryFn: async ({ signal }) =>
      await api.insight.stretches(id, { from: iso(from), to: iso(to) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** A query for the version in force and the origin of each field. They do not depend on the range, so it is the shortest. */
export function versionQuery({ api, namespace }: Scope, id: string, createdAt: string) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'version'],
    queryFn: async ({ signal }) => {
      const { version, origins } = await api.insight.stretches(
        id,
        { from: createdAt, to: createdAt },
        { signal },
      );
      return { version, origins };
    },
  });
}

export function explanationsQuery({ api, namespace }: Scope, id: string, at: number) {
  return queryOptions({
    queryKey: [namespace, 'schedule', id, 'explain', at],
    queryFn: async ({ signal }) => await api.insight.explain(id, iso(at), { signal }),
    placeholderData: keepPreviousData,
  });
}
