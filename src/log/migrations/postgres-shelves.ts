const SHELF_BITS = 16;
/** The number of texts on a shelf. */
export const SHELF_SIZE = 2 ** SHELF_BITS;

/** The words of a text, each prefixed with its shelf number. */
export const shelvedWordsSql = `array_to_tsvector(string_to_array(
    (n >> ${SHELF_BITS})::text || '/' || replace(words, ' ', ' ' || (n >> ${SHELF_BITS})::text || '/'), ' '))`;

/**
 * The index collects every place of a word, or of every word with a prefix, before it returns the first one. With a
 * shelf number before each word, that is never more than one shelf holds, however large the index is. There is no
 * pending list, because every search would read all of it.
 */
export const searchShelvesSql = `
  DROP INDEX search_words;
  UPDATE search_mark SET position = 0, hash = '', version = 0;
  TRUNCATE search_texts, search_spans;
  CREATE INDEX search_words ON search_texts USING gin ((${shelvedWordsSql})) WITH (fastupdate = off);
`;
