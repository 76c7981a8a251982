/** Carries out steps of a declaration at a server. */
import type { CarillonClient } from '../client/index.ts';
import { declaredNote } from '../client/index.ts';
import type { DeclarationPort, SentChange } from '../doctor/index.ts';

export class ClientDeclarations implements DeclarationPort<SentChange> {
  readonly #schedules: CarillonClient['schedules'];

  constructor({ schedules }: CarillonClient) {
    this.#schedules = schedules;
  }

  async create(id: string, { input }: SentChange): Promise<void> {
    await this.#schedules.create(id, input, { note: declaredNote });
  }

  async update(id: string, { input }: SentChange, token: number): Promise<void> {
    await this.#schedules.update(id, input, { token, note: declaredNote });
  }

  async prune(id: string, token: number): Promise<void> {
    await this.#schedules.delete(id, { token });
  }
}
