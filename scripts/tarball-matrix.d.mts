export class NotAvailable extends Error {}
export class Projects {
  static open(): Promise<Projects>;
  readonly folder: string;
  close(): Promise<void>;
}
export const checks: readonly {
  readonly name: string;
  run(projects: Projects): Promise<string | undefined>;
}[];
export function startAndStop(program: string, cwd: string): Promise<void>;
