/** The parts of the server's answers that the timeline reads. Verdicts are texts: a newer server may know more of them. */
export interface SlotAnswer {
  readonly at: string;
  readonly until?: string;
  readonly count?: number;
  readonly verdict: string;
  readonly cause?: string;
  readonly runId?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface RunAnswer {
  readonly id: string;
  readonly at: string;
  readonly state: string;
  readonly outcome?: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly untaken?: boolean;
  readonly replaced?: boolean;
  readonly attempts?: readonly {
    readonly startedAt: string;
    readonly finishedAt?: string;
    readonly error?: string;
  }[];
}

export interface TimelineAnswer {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly zone: string;
  readonly slots: readonly SlotAnswer[];
  readonly runs: readonly RunAnswer[];
  readonly ruledOut: readonly { readonly at: string; readonly verdict: string }[];
  readonly projected: readonly {
    readonly at: string;
    readonly tooLong?: { readonly runs: number; readonly of: number; readonly goingMs?: number };
    readonly passedOver?: boolean;
  }[];
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface BinsAnswer {
  readonly bins: readonly {
    readonly from: string;
    readonly to: string;
    readonly verdicts: Readonly<Record<string, number>>;
    readonly outcomes: Readonly<Partial<Record<string, number>>>;
    readonly replaced: number;
    readonly unfinished: Readonly<Partial<Record<string, number>>>;
    readonly forgotten: number;
    readonly projected: number;
    readonly passedOver: number;
    readonly medianMs?: number;
    readonly longestMs?: number;
  }[];
}

export interface StretchesAnswer {
  readonly createdAt: string;
  readonly forgottenUntil: string | null;
  readonly pauses: readonly {
    readonly from: string;
    readonly to: string | null;
    readonly by: string;
    readonly note: string;
    readonly until: string | null;
  }[];
  readonly versions: readonly {
    readonly number: number;
    readonly at: string;
    readonly by: string;
    readonly note: string;
    readonly changes: readonly { readonly path: string }[];
  }[];
  readonly silences: readonly { readonly from: string; readonly to: string }[];
  readonly clockChanges: readonly {
    readonly at: string;
    readonly zone: string;
    readonly byMinutes: number;
  }[];
  readonly zoneTables: readonly { readonly at: string; readonly before: string; readonly after: string }[];
  readonly ruledOut: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly verdict: string;
  }[];
}
