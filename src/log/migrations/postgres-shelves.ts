const SHELF_BITS = 16;
/** So many texts stand on a shelf. */
export const SHELF_SIZE = 2 ** SHELF_BITS;

/** The words of a text, each with the number of its shelf before it. */
export const shelvedWordsSql = `array_to_tsvector(string_to_array(
    (n >> ${SHELF_BITS})::text || '/' || replace(words, ' ', ' ' || (n >> ${SHELF_BITS})::text || '/'), ' '))`;

/**
 * The index of words puts together all of where a word stands, or every word
 * that begins so, before it gives the first of it. With the number of a shelf
 * before each word that is never more than a shelf has, however many there are.
 * Nothing waits to be sorted in, as every look would read all of that.
 */
export const searchShelvesSql = `
  DROP INDEX search_words;
  UPDATE search_mark SET position = 0, hash = '', version = 0;
  TRUNCATE search_texts, search_spans;
  CREATE INDEX search_words ON search_texts USING gin ((${shelvedWordsSql})) WITH (fastupdate = off);
`;
