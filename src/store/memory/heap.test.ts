import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/random.ts';
import { Heap } from './heap.ts';

describe('Heap', () => {
  it('agrees with sorting, whatever is added and removed', () => {
    const random = new SeededRandom(3);
    const heap = new Heap<{ readonly rank: number }>((a, b) => a.rank - b.rank);
    let model: { readonly rank: number }[] = [];
    for (let round = 0; round < 2000; round++) {
      if (random.chance(0.6) || model.length === 0) {
        const item = { rank: random.integer(0, 50) };
        model.push(item);
        heap.add(item);
      } else {
        const item = random.pick(model);
        model = model.filter((each) => each !== item);
        heap.delete(item);
        heap.delete(item);
      }
      if (round % 20 !== 0) continue;
      const bound = random.integer(0, 50);
      const limit = random.integer(0, 30);
      const ranks = model.map((item) => item.rank).sort((a, b) => a - b);
      expect(heap.first(limit, (item) => item.rank <= bound).map((item) => item.rank)).toEqual(
        ranks.filter((rank) => rank <= bound).slice(0, limit),
      );
      expect(heap.peek()?.rank).toBe(ranks[0]);
      expect(heap.size).toBe(model.length);
    }
    const drained: number[] = [];
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) drained.push(item.rank);
    expect(drained).toEqual(model.map((item) => item.rank).sort((a, b) => a - b));
  });
});
