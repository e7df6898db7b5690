/** Lines of servers' logs that tell of an answer with a status of 5xx, whatever their level. */

const METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS";
const STATUS = "(5\\d\\d)(?![\\d.%]|\\s?(?:m?s|[kKMG]?i?B|px|lines)\\b)";

/** The status is the first group that matched. */
const SERVER_ERROR = new RegExp(
  [
    // "GET /orders HTTP/1.1" 502 157: nginx, Apache, and what answers over HTTP
    `HTTP/[\\d.]{1,3}"?\\s{1,4}${STATUS}`,
    // "status":503, status=503, statusCode: 503, DownstreamStatus
    `status(?:[_.-]?code)?["']?\\s?[:=]\\s?["']?${STATUS}`,
    // GET /orders 500 12 ms
    `\\b(?:${METHODS})\\s{1,4}\\S{1,240}\\s(?:(?:->|=>|→|-|:|responded|returned|status)\\s?)?${STATUS}`,
    // Gin, with columns; HAProxy, after its times; load balancers, before the request
    `\\|\\s{0,4}${STATUS}\\s{0,4}\\|.{0,80}\\b(?:${METHODS})\\b`,
    `(?:/[+-]?\\d{1,9}){3,4} ${STATUS} [+]?\\d`,
    ` ${STATUS} (?:\\d{3}|-) \\d{1,12} \\d{1,12} "(?:${METHODS}) `,
    `\\bCompleted ${STATUS}`,
  ].join("|"),
  "i",
);
const PATH = new RegExp(
  `(?:\\b(?:${METHODS})["']?[\\s,|]{1,8}"?|["']?(?:path|uri|url|request_uri)["']?\\s?[:=]\\s?["']?)([^\\s?"',]{1,240})`,
  "i",
);
const NUMBERS = /\d+|(?<=\/)[\da-f-]{16,64}(?=\/|$)/gi;

export const isServerError = (text: string): boolean => SERVER_ERROR.test(text);

/** The same for answers with one status to one address, but for numbers in it. */
export function serverErrorKind(text: string): string | undefined {
  const status = SERVER_ERROR.exec(text)?.slice(1).find(Boolean);
  if (status === undefined) return undefined;
  return `${status} ${PATH.exec(text)?.[1]?.replace(NUMBERS, "#") ?? ""}`;
}
