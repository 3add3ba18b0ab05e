/**
 * Numbered by place, never edited once released: a change is a new entry. Words are already in the form to search
 * for, so the table only splits at spaces (`ascii` treats everything beyond ASCII as part of a word), stores no text
 * (`content=''`) and no lengths, which only its own ranking would need.
 */
export const searchMigrations: readonly string[] = [
  `
  CREATE TABLE texts (
    n        INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    part     INTEGER NOT NULL,
    ts       INTEGER NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(list, content='', columnsize=0, tokenize='ascii');
  CREATE TABLE spans (
    span   INTEGER PRIMARY KEY,
    oldest INTEGER NOT NULL,
    newest INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE mark (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    position INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    version  INTEGER NOT NULL
  ) STRICT;
  `,
  // The vocabulary, with the number of texts for each word: a prefix search looks up the words with that prefix.
  `
  CREATE TABLE lexicon (
    word  TEXT PRIMARY KEY,
    texts INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO words (words) VALUES ('delete-all');
  DELETE FROM texts;
  DELETE FROM spans;
  DELETE FROM mark;
  `,
  // A prefix is found by its first three letters, which are indexed too, or as the list of words with that prefix,
  // which the index itself can return. No counts are needed.
  `
  DROP TABLE lexicon;
  DROP TABLE words;
  CREATE VIRTUAL TABLE words USING fts5(list, content='', columnsize=0, prefix='3', tokenize='ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'instance');
  DELETE FROM texts;
  DELETE FROM spans;
  DELETE FROM mark;
  `,
];
