/** A count inside a sentence, with commas between thousands: `2,174`. Without Intl, because listings write many of them. */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
