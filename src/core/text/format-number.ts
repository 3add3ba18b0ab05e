/**
 * A number as people read it: "12,345.6". Avoids Intl, which first loads tables of all languages;
 * that takes longer than everything else needed to open a room.
 */
export function formatNumber(number: number): string {
  const rounded = String(Math.round(number * 1000) / 1000);
  return rounded.replace(/\d+/, (integer) => integer.replace(/\B(?=(?:\d{3}){1,7}$)/g, ','));
}
