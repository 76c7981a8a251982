/** Carries out steps of a declaration with the service of this process. */
import { given } from '../base/given.ts';
import type { SchedulePatch } from '../scheduler/patch.ts';
import type { DeclarationChange, DeclarationPort } from './declaration.ts';
import type { Caller, ScheduleService } from './schedule-service.ts';

export interface ServiceDeclarationsOptions {
  readonly service: Pick<ScheduleService, 'create' | 'update' | 'delete'>;
  readonly namespace: string;
  readonly caller: Pick<Caller, 'actor' | 'door'>;
  /** The note in the audit log of a pruned schedule. */
  readonly pruneNote?: string;
  /** The patch of a new schedule, applied in the transaction that creates it. */
  readonly onCreate?: SchedulePatch;
}

export class ServiceDeclarations implements DeclarationPort<DeclarationChange> {
  readonly #options: ServiceDeclarationsOptions;

  constructor(options: ServiceDeclarationsOptions) {
    this.#options = options;
  }

  async create(id: string, { draft }: DeclarationChange): Promise<void> {
    const { service, caller, onCreate } = this.#options;
    await service.create(this.#name(id), draft, caller, onCreate);
  }

  async update(id: string, { draft }: DeclarationChange, token: number): Promise<void> {
    const { service, caller } = this.#options;
    await service.update(this.#name(id), draft, { ...caller, token });
  }

  async prune(id: string, token: number): Promise<void> {
    const { service, caller, pruneNote } = this.#options;
    await service.delete(this.#name(id), {
      ...caller,
      token,
      waiting: 'cancel',
      ...given({ note: pruneNote }),
    });
  }

  #name(id: string) {
    return { namespace: this.#options.namespace, id };
  }
}
