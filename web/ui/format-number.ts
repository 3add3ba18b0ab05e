export { formatNumber } from '../../src/core/text/format-number.ts';
