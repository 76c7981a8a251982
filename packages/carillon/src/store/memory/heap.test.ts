import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/random.ts';
import type { Ticket } from './heap.ts';
import { Heap } from './heap.ts';

describe('Heap', () => {
  it('agrees with sorting, whatever is added, moved and removed', () => {
    const random = new SeededRandom(3);
    const heap = new Heap<{ rank: number }>((a, b) => a.rank - b.rank);
    let model: Ticket<{ rank: number }>[] = [];
    for (let round = 0; round < 2000; round++) {
      if (random.chance(0.6) || model.length === 0) {
        model.push(heap.add({ rank: random.integer(0, 50) }));
      } else {
        const ticket = random.pick(model);
        if (random.chance(0.5)) {
          ticket.item.rank = random.integer(0, 50);
          heap.restore(ticket);
        } else {
          model = model.filter((each) => each !== ticket);
          heap.delete(ticket);
        }
      }
      if (round % 20 !== 0) continue;
      const bound = random.integer(0, 50);
      const limit = random.integer(0, 30);
      const ranks = model.map(({ item }) => item.rank).sort((a, b) => a - b);
      expect(heap.first(limit, (item) => item.rank <= bound).map((item) => item.rank)).toEqual(
        ranks.filter((rank) => rank <= bound).slice(0, limit),
      );
      expect(heap.peek()?.rank).toBe(ranks[0]);
      expect(heap.size).toBe(model.length);
    }
    const drained: number[] = [];
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) drained.push(item.rank);
    expect(drained).toEqual(model.map(({ item }) => item.rank).sort((a, b) => a - b));
  });
});
