/** Carillon as a module of NestJS: one Carillon for the application, its API and page under a path, stopped with the application. */

import type { MountedCarillon, MountOptions } from '@carillon/server';
import { mountCarillon } from '@carillon/server';
import type {
  BeforeApplicationShutdown,
  DynamicModule,
  MiddlewareConsumer,
  NestModule,
} from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import type { Carillon } from 'carillon';
import { openCarillon } from 'carillon';

/** The token of the Carillon: `constructor(@Inject(CARILLON) carillon: Carillon)`. */
export const CARILLON = Symbol('CARILLON');
const MOUNT = Symbol('CARILLON_MOUNT');

export interface CarillonModuleOptions extends Pick<MountOptions, 'authenticate' | 'keys'> {
  /** Where schedules are stored, such as `postgres://…`. */
  readonly store: string;
  /** Where the API and the page are, without a slash at the start. */
  readonly path: string;
}

@Module({})
export class CarillonModule implements NestModule, BeforeApplicationShutdown {
  #mounted: MountedCarillon | undefined;

  constructor(
    @Inject(CARILLON) private readonly carillon: Carillon,
    @Inject(MOUNT) private readonly options: CarillonModuleOptions,
  ) {}

  static forRoot(options: CarillonModuleOptions): DynamicModule {
    return {
      module: CarillonModule,
      global: true,
      providers: [
        { provide: CARILLON, useFactory: () => openCarillon(options.store) },
        { provide: MOUNT, useValue: options },
      ],
      exports: [CARILLON],
    };
  }

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    const { path, store: _, ...access } = this.options;
    this.#mounted = await mountCarillon({ carillon: this.carillon, basePath: `/${path}`, ...access });
    consumer.apply(this.#mounted.handler).forRoutes(path, `${path}/*rest`);
  }

  /** Before the server closes, so that open streams of events do not hold it up. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#mounted?.stop();
  }
}
