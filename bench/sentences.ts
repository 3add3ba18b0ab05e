/**
 * Three hundred thoughts on twelve topics, five beginnings by five endings each. The constants of the pool were chosen
 * on other sentences: these are only measured.
 */
const TOPICS: Record<string, readonly [readonly string[], readonly string[]]> = {
  weather: [
    ['Before noon the fog', 'This heavy rain', 'A warm wind from the south', 'The first snow', 'The forecast'],
    ['lifted over the valley', 'surprised everybody', 'will last until Friday', 'brings thunder', 'ended the drought'],
  ],
  school: [
    ['The new teacher', 'Homework on Sundays', 'A class of thirty pupils', 'The exam', 'Learning by heart'],
    [
      'tires the children',
      'was easier last year',
      'leaves no time for questions',
      'helps with spelling',
      'begins at eight',
    ],
  ],
  trains: [
    ['The night train', 'A ticket to the coast', 'The conductor', 'Platform four', 'The railway bridge'],
    [
      'is delayed again',
      'was closed for repairs',
      'leaves from the old station',
      'is full of luggage',
      'costs too much',
    ],
  ],
  coffee: [
    ['An espresso', 'Freshly ground beans', 'The barista', 'Milk foam', 'The second cup'],
    ['tastes bitter today', 'keeps me awake', 'wants hotter water', 'smells of chocolate', 'is better without sugar'],
  ],
  dogs: [
    ['The neighbour’s terrier', 'A puppy', 'Our old sheepdog', 'The leash', 'Barking at the postman'],
    ['pulls towards the park', 'sleeps by the door', 'means it is hungry', 'needs training', 'frightened the cat'],
  ],
  grief: [
    ['Mourning', 'The empty chair', 'Her funeral', 'Crying without reason', 'His last letter'],
    ['comes in waves', 'still hurts after years', 'brought the family together', 'has no end', 'is a kind of love'],
  ],
  mathematics: [
    ['The proof', 'A prime number', 'This lemma', 'The integral', 'An infinite series'],
    ['diverges', 'follows by induction', 'has no closed form', 'divides the product', 'uses a contradiction'],
  ],
  painting: [
    ['The portrait', 'Oil on canvas', 'A touch of blue', 'The watercolour', 'The gallery'],
    [
      'dries slowly',
      'shows the light of evening',
      'hangs beside a sketch',
      'was restored badly',
      'needs a darker shadow',
    ],
  ],
  elections: [
    ['The candidate', 'A coalition', 'The parliament', 'Voter turnout', 'The opposition'],
    ['promised lower taxes', 'lost its majority', 'was higher in the cities', 'demands a recount', 'votes on Thursday'],
  ],
  mountains: [
    ['The summit', 'A rope team', 'The north face', 'Thin air', 'The glacier'],
    [
      'was hidden in cloud',
      'makes climbing slow',
      'is retreating each summer',
      'turned back at the ridge',
      'needs crampons',
    ],
  ],
  language: [
    ['A borrowed word', 'The subjunctive', 'Translation', 'Her accent', 'An old dialect'],
    [
      'loses the pun',
      'survives in one village',
      'changes the meaning',
      'has no equivalent in English',
      'follows grammar',
    ],
  ],
  sleep: [
    ['A nap after lunch', 'Insomnia', 'The alarm clock', 'Dreaming', 'Going to bed late'],
    ['ruins the morning', 'rests the brain', 'rang at five', 'gets worse with stress', 'is forgotten on waking'],
  ],
};

export interface Sentence {
  readonly text: string;
  readonly topic: string;
}

/** Mixed, as a mind would think them, but the same each time. */
export function sentences(): readonly Sentence[] {
  const all = Object.entries(TOPICS).flatMap(([topic, [beginnings, endings]]) =>
    beginnings.flatMap((beginning) => endings.map((ending) => ({ topic, text: `${beginning} ${ending}.` }))),
  );
  // 127 shares no factor with 300: every sentence once.
  return all.map((_, i) => all[(i * 127) % all.length] as Sentence);
}
