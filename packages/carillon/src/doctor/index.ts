/** `carillon/doctor`: what can be said of schedules without running them. Pure, for command lines and pages alike. */
export type { DeclarationPort, Declarer, Step, StepOutcome } from '../service/declaration.ts';
export { applyStep } from '../service/declaration.ts';
export type { CrontabRemark } from './crontab.ts';
export { readCrontab } from './crontab.ts';
export type { Imported } from './crontab-schedules.ts';
export { importEntries } from './crontab-schedules.ts';
export type { DstRow } from './dst-report.ts';
export { dstReport } from './dst-report.ts';
export type { LintFinding, LintSubject, Place, Severity } from './lint/finding.ts';
export { findingOf, lintAction, lintRules } from './lint/finding.ts';
export { invalidFindings, lintSubjects } from './lint/lint.ts';
export type { Manifest, ManifestEntry, ManifestOptions, ManifestProblem, ReadManifest } from './manifest.ts';
export { readManifest } from './manifest.ts';
export type { DocumentError, DocumentParser, ManifestDocument, ManifestPath } from './manifest-document.ts';
export type { FieldChange, LiveSchedule, OwnedSchedule, PlannedChange, SentChange } from './plan.ts';
export { planChanges } from './plan.ts';
export type { Finding, Kept, Verification, VerifyMaterial, VerifyRun, VerifySlot } from './verify.ts';
export { defaultKept, verifyLedger } from './verify.ts';
