export const MAX_INSTRUCTIONS = 16_000;
