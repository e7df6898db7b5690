/** First import of the page's scripts: the CSP allows no eval. */
import * as z from "zod";

z.config({ jitless: true });
