// What Temporal's command line may show otherwise on our server, with the reason. A rule explains a difference when every line
// that only the real server's text has fits `real`, every line that only ours has fits `ours`, and the exit codes are equal or those
// that `exits` names. Longer reasons are rows of the table in docs/temporal.md.

const tasks =
  /WorkflowTask|workflowTask|HistoryLength|historyLength|HistorySize|historySizeBytes|StateTransitionCount|stateTransitionCount|eventId|taskId|BuildIds|autoResetPoints|points|buildId|createTime|resettable|runId|mostRecentWorker|worker|"type"|"data"|"metadata"|"encoding"|"indexedFields"|searchAttributes|RunTime|durationMillis|^[\]})],?$|WorkflowExecution(Completed|Failed|Canceled)$|versioning|Versioning|autoUpgrade|behavior|originalStartTime|requestIdInfos|UUID|eventType|runExpirationTime/;
const noWorkflowCode = 'there is no workflow code here';

const rules = [
  {
    command: /^operator search-attribute create/,
    real: /allowed values are/,
    ours: /allowed values are/,
    reason: 'the command line itself lists the types in any order',
  },
  {
    command: /^(schedule|workflow) list/,
    real: /^\{"scheduleId"/,
    ours: /^\{"scheduleId"/,
    reason: 'starts of one backfill end in any order there',
  },
  { command: /^schedule describe/, real: /^LastUpdateAt/, reason: 'the update time moves with updates only' },
  {
    command: /^schedule/,
    real: /(workflow not found for ID: temporal-sys-scheduler:|schedule not found)/,
    ours: /there is no schedule/,
    reason: 'the message names the schedule',
  },
  {
    command: /^schedule describe .* -o json/,
    real: /"encoding"/,
    ours: /"encoding"|"type"/,
    reason: 'search attributes keep their type',
  },
  {
    command: /^schedule backfill/,
    real: /^Backfill request sent/,
    ours: /the range of a backfill ends before it begins/,
    exits: [0, 1],
    reason: 'a backfill that means nothing is refused',
  },
  {
    command: /^operator namespace (list|describe)/,
    real: /temporal-system|Temporal internal|temporal-core|RetentionTtl|ReplicationConfig.State|SearchAttributeAliases|^$|eagerWorkflowStart|syncUpdate|asyncUpdate|badBinaries/,
    ours: /RetentionTtl|ReplicationConfig.State|SearchAttributeAliases/,
    reason: "no system namespace, the server's retention, no columns behind search attributes, no updates",
  },
  {
    command: /^workflow (execute|describe|show|list|result)/,
    real: tasks,
    ours: new RegExp(`${tasks.source}|firstRunId|details|"cancelled"|StackTrace|Broken: |^at `),
    reason: `${noWorkflowCode}: a history is start and end, and a failure has the handler's stack`,
  },
  {
    command: /^workflow (stack|metadata|query)/,
    real: /QueryResult|^__|unknown queryType/,
    ours: /QueryResult|^__|unknown queryType/,
    reason: `${noWorkflowCode}: two queries are answered`,
  },
  {
    command: /^workflow (signal|update-options|reset)/,
    real: /./,
    ours: /unknown method|unable to find any scheduled or completed task/,
    exits: [0, 1],
    reason: noWorkflowCode,
  },
  { command: /^task-queue list-partition/, real: /tq/, ours: /^tq/, reason: 'a queue is not divided' },
  {
    command: /^task-queue describe/,
    real: /@|^UNVERSIONED/,
    ours: /^carillon|^UNVERSIONED/,
    reason: 'pollers are nodes here, and rates of tasks are not counted',
  },
  { command: /^operator cluster list/, real: /127\.0\.0\.1/, ours: /^active/, reason: 'no address inside' },
  {
    command: /^operator cluster system/,
    real: /^1\.32\.0/,
    ours: /\+carillon/,
    reason: 'the version says what it is, and there is no schema of visibility',
  },
];

/** The reason of a known difference, undefined when there is none. */
export function reasonFor(args, { real, ours }) {
  const command = args.join(' ');
  const lines = { real: linesOnlyIn(real, ours), ours: linesOnlyIn(ours, real) };
  const isSameCode = real.code === ours.code;
  if (isSameCode && lines.real.length + lines.ours.length === 0) return 'the same lines in another order';
  if (isSameCode && ours.text.startsWith(real.text)) return 'the text goes on with advice';
  const fits = (rule) =>
    rule.command.test(command) &&
    (isSameCode || (rule.exits?.[0] === real.code && rule.exits[1] === ours.code)) &&
    ['real', 'ours'].every((side) => lines[side].every((line) => rule[side]?.test(line)));
  return rules.find(fits)?.reason;
}

/** The lines of one text that the other does not have. */
export function linesOnlyIn(one, other) {
  const known = new Set(other.text.split('\n').map((line) => line.trim()));
  return one.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !known.has(line));
}
