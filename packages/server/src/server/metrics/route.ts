/** `GET /metrics`. */

import type { Clock } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import type { FastifyInstance } from 'fastify';
import type { HttpDoor } from '../../door/http-door.ts';
import type { Build } from './exposition.ts';
import { Exposition } from './exposition.ts';
import type { GaugeOptions } from './gauges.ts';
import { GaugeReader, noGauges } from './gauges.ts';
import type { Tally } from './tally.ts';

export interface MetricsOptions {
  readonly carillon: Carillon;
  readonly services: GaugeOptions['services'];
  readonly clock: Clock;
  readonly tally: Tally;
  readonly build: Build;
}

const path = '/metrics';

export function metricsDoor(options: MetricsOptions): HttpDoor {
  return { paths: [path], untracedPaths: [path], routes: async (app) => addRoute(app, options) };
}

function addRoute(app: FastifyInstance, { carillon, services, clock, tally, build }: MetricsOptions): void {
  const mostSeries = tally.perSchedule ? tally.mostSchedules : 0;
  const gauges = new GaugeReader({ carillon, services, clock, mostSeries });
  const exposition = new Exposition(build);
  const unwatch = tally.watch(carillon);
  app.addHook('onClose', async () => unwatch());
  app.get(path, async (_, reply) => {
    const levels = await gauges.read().catch((error: unknown) => {
      tally.trouble(error);
      return noGauges;
    });
    const text = await exposition.text(tally, levels, carillon.activeRuns);
    return await reply.type(exposition.contentType).send(text);
  });
}
