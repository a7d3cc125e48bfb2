/** Loaded ahead of a program, sets the clock of its machine an hour ahead. JavaScript: its threads load it, too. */
const HOUR_MS = 3_600_000;
const { now } = Date;

Date.now = () => now() + HOUR_MS;
