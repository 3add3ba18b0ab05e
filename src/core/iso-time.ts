const DAY_MS = 86_400_000;
/** The calendar repeats every 400 years, counted from the first of March of the year 0. */
const ERA_DAYS = 146_097;
const EPOCH_DAYS = 719_468;

/** A time in milliseconds since 1970 as events write it: the core has no dates of the platform. */
export function isoTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const left = ms - days * DAY_MS;
  const clock = [left / 3_600_000, (left / 60_000) % 60, (left / 1000) % 60].map((each) => digits(each)).join(':');
  return `${dateOf(days)}T${clock}.${digits(left % 1000, 3)}Z`;
}

function dateOf(days: number): string {
  const shifted = days + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const ofEra = shifted - era * ERA_DAYS;
  const years = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return `${digits(years + era * 400 + (month <= 2 ? 1 : 0), 4)}-${digits(month)}-${digits(day)}`;
}

function digits(value: number, size = 2): string {
  return String(Math.floor(value)).padStart(size, '0');
}
