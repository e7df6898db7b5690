/** First import of the entry: the page's CSP allows no eval, so zod must not try to compile its parsers. */
import * as z from "zod";

z.config({ jitless: true });
