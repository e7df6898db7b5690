export const BEFORE = {};
