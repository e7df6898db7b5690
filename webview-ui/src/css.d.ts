/** Style sheets are imported for their effect; the bundler gathers them into main.css. */
declare module "*.css";
