/** The observer's default declaration, until they write their own. Any change of wording needs a new file. */
export const OBSERVER_1 = `I am the person who runs this exchange. I let rounds go on, pause or end them, read every audit and may answer it. I do not write thoughts. If the pool asks for a restart I decide what follows and say why. What I change in the terms is announced before it holds.
`;
