/** `carillon/doctor`: checks of schedules that do not run them. Pure functions, for command lines and web pages. */

export type { PayloadMessage } from '../action/temporal-payload.ts';
export type {
  DeclarationChange,
  DeclarationPort,
  DeclarationStep,
  Declarer,
  Foreign,
  Refused,
  StepOutcome,
} from '../service/declaration.ts';
export { applyStep } from '../service/declaration.ts';
export type { DefinitionDraft } from '../service/definition-draft.ts';
export type { FieldChange } from '../service/insight/field-diff.ts';
export type { DstEffect, DstRow, DstWindow } from '../spec/dst-report.ts';
export { dstReport } from '../spec/dst-report.ts';
export type {
  BullmqReading,
  BullmqRemark,
  BullmqRepeat,
  BullmqRow,
  BullmqSchedule,
} from './bullmq-schedulers.ts';
export { readBullmqScheduler } from './bullmq-schedulers.ts';
export type {
  ConductorDocument,
  ConductorImport,
  ConductorImportOptions,
  ConductorImports,
  ConductorRemark,
} from './conductor-schedules.ts';
export { conductorSchedules, importConductor } from './conductor-schedules.ts';
export type { Crontab, CrontabEntry, CrontabOptions, CrontabRemark } from './crontab.ts';
export { readCrontab } from './crontab.ts';
export type { Imported, ImportOptions, Proof } from './crontab-schedules.ts';
export { importEntries } from './crontab-schedules.ts';
export type {
  LintAction,
  LintCode,
  LintFinding,
  LintSubject,
  Remark,
  Severity,
  SourceLocation,
} from './lint/finding.ts';
export { findingOf, lintRules } from './lint/finding.ts';
export { invalidFindings, lintSubjects } from './lint/lint.ts';
export { lintAction, timedAction } from './lint/lint-action.ts';
export type { Manifest, ManifestEntry, ManifestOptions, ManifestProblem, ReadManifest } from './manifest.ts';
export { readManifest } from './manifest.ts';
export type { DocumentError, DocumentParser, ManifestDocument, ManifestPath } from './manifest-document.ts';
export type {
  LiveSchedule,
  OwnedSchedule,
  PlanInput,
  PlannedChange,
  SentChange,
} from './plan.ts';
export { planChanges } from './plan.ts';
export type {
  DescriptionMessage,
  LongMessage,
  Maybe,
  PayloadFields,
  SecondsMessage,
  SpecMessage,
  StartMessage,
} from './temporal-messages.ts';
export { timeOf } from './temporal-messages.ts';
export type {
  Comparison,
  TemporalReading,
  TemporalRemark,
  TemporalSchedule,
  WorkPlace,
} from './temporal-schedules.ts';
export {
  clockChangeWindows,
  comparedYear,
  compareTimes,
  readTemporalSchedule,
} from './temporal-schedules.ts';
export type {
  Finding,
  FindingKind,
  Kept,
  Verification,
  VerifyMaterial,
  VerifyRun,
  VerifySlot,
  VerifyVersion,
} from './verify.ts';
export { defaultKept, verifyLedger } from './verify.ts';
