/** `GET /metrics`. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Carillon } from '../../embed/carillon.ts';
import { Exposition } from './exposition.ts';
import { GaugeReader } from './gauges.ts';
import type { Tally } from './tally.ts';

export async function metricsRoute(
  app: FastifyInstance,
  { carillon, clock, tally }: { readonly carillon: Carillon; readonly clock: Clock; readonly tally: Tally },
): Promise<void> {
  const gauges = new GaugeReader(carillon, clock);
  const exposition = new Exposition();
  const unsubscribe = carillon.subscribe(tally.event);
  app.addHook('onClose', async () => unsubscribe());
  app.get('/metrics', async (_, reply) => {
    await gauges.readDurations(tally);
    const text = await exposition.text(tally, await gauges.read());
    return await reply.type(exposition.contentType).send(text);
  });
}
