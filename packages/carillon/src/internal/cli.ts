/** Only for `@carillon/server` of the same version; may change without notice. */

export type { Applied } from '../cli/apply.ts';
export { applyChanges } from '../cli/apply.ts';
export { Argument, BadValue, Command, Option } from '../cli/command.ts';
export { keepCommandToken } from '../cli/command-token.ts';
export type { Context } from '../cli/context.ts';
export { BadInput, EndWith, exitCode } from '../cli/exit.ts';
export { visibleCommands, visibleOptions } from '../cli/help.ts';
export { inParallel } from '../cli/in-parallel.ts';
export type { Live, LiveOptions } from '../cli/live.ts';
export { chosen, liveOptions, openLive } from '../cli/live.ts';
export type { PlannedDeclaration } from '../cli/manifest-view.ts';
export { appliedText, planText } from '../cli/manifest-view.ts';
export { paintWith } from '../cli/paint.ts';
export type { Group, PlanningOptions } from '../cli/planning.ts';
export { readGroups } from '../cli/planning.ts';
export { problemText } from '../cli/problem-text.ts';
export { runProcess } from '../cli/process.ts';
export { Progress } from '../cli/progress.ts';
export { readPort, readWhole } from '../cli/read-option.ts';
export { fileName, readText } from '../cli/read-text.ts';
export type { RemoteOptions } from '../cli/remote.ts';
export { clientOf, print, remoteHelp, remoteOptions, sentence } from '../cli/remote.ts';
export type { ServerCommands } from '../cli/server-commands.ts';
export { storeUrl } from '../cli/store-url.ts';
export { clean, factsText, sinceText, tableText, whenText } from '../cli/table.ts';
export { CarillonError, isCarillonError } from '../client/error.ts';
export { readScheduleQuery } from '../client/schedule-query.ts';
