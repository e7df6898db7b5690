/** Logs of servers with a few answers of 5xx among those that went well. */
import { amid, clock, folder, hex, lines, noun, type Output, text } from "./kit";

/** @param line of the log: number, method, path, status */
const log = (name: string, line: (n: number, method: string, path: string, status: number) => string): Output => {
  const calm = lines(600, n => line(n, "GET", `/${folder(n)}/${noun(n)}/${n}?page=${n % 9}`, n % 11 === 0 ? 304 : 200));
  const gone = line(601, "GET", "/favicon.ico", 404);
  const broken = [line(602, "POST", "/api/orders", 502), line(603, "GET", "/api/stock/17", 500)];
  const late = line(604, "PUT", "/api/carts/8", 503);
  return { name, stdout: text(amid(amid([...calm, gone], 0.8, late), 0.4, ...broken)), matters: [...broken, late] };
};

const combined = (n: number) => `10.0.0.${n % 250} - - [02/Mar/2026:${clock(n)} +0000]`;

export const accessLogs = (): Output[] => [
  log(
    "nginx",
    (n, method, path, status) =>
      `${combined(n)} "${method} ${path} HTTP/1.1" ${status} ${n * 3 + 500} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
  ),
  log("Apache", (n, method, path, status) => `${combined(n)} "${method} ${path} HTTP/1.1" ${status} ${500 + (n % 90)}`),
  log("JSON (pino)", (n, method, path, status) =>
    JSON.stringify({
      level: 30,
      time: 1772460207000 + n,
      req: { id: n, method, url: path },
      res: { statusCode: status },
      responseTime: 500 + (n % 90),
      msg: "request completed",
    }),
  ),
  log("JSON (Caddy)", (n, method, path, status) =>
    JSON.stringify({
      level: "info",
      ts: 1772460207 + n,
      logger: "http.log.access",
      request: { method, uri: path, host: "shop.test" },
      duration: 0.5,
      size: 512,
      status,
    }),
  ),
  log("JSON (Traefik)", (n, method, path, status) =>
    JSON.stringify({
      DownstreamStatus: status,
      Duration: 5_000_000 + n,
      RequestMethod: method,
      RequestPath: path,
      level: "info",
    }),
  ),
  log(
    "logfmt",
    (n, method, path, status) =>
      `time="2026-03-02T${clock(n)}Z" level=info msg=request method=${method} path=${path} status=${status} bytes=${500 + (n % 99)}`,
  ),
  log(
    "uvicorn",
    (n, method, path, status) => `INFO:     10.0.0.1:${50_000 + n} - "${method} ${path} HTTP/1.1" ${status}`,
  ),
  log("morgan", (n, method, path, status) => `${method} ${path} ${status} ${(n % 90) + 500}.12 ms - ${500 + (n % 70)}`),
  log("Next.js", (n, method, path, status) => ` ${method} ${path} ${status} in ${(n % 90) + 500}ms`),
  log(
    "Gin",
    (n, method, path, status) =>
      `[GIN] 2026/03/02 - ${clock(n)} | ${status} |    1.${n}ms |       10.0.0.1 | ${method.padEnd(8)} "${path}"`,
  ),
  log(
    "HAProxy",
    (n, method, path, status) =>
      `Mar  2 ${clock(n)} lb haproxy[911]: 10.0.0.1:${50_000 + n} [02/Mar/2026:${clock(n)}.041] web app/s1 0/0/1/24/25 ${status} ${500 + (n % 90)} - - ---- 2/2/0/0/0 0/0 "${method} ${path} HTTP/1.1"`,
  ),
  log(
    "a load balancer",
    (n, method, path, status) =>
      `https 2026-03-02T${clock(n)}.186641Z app/shop/${hex(3, 16)} 10.0.0.1:${50_000 + n} 10.0.0.2:80 0.086 0.048 0.037 ${status} ${status} 512 ${500 + (n % 90)} "${method} https://shop.test:443${path} HTTP/1.1" "curl/8.5.0"`,
  ),
  log(
    "Rails",
    (n, method, path, status) =>
      `I, [2026-03-02T${clock(n)} #912]  INFO -- : method=${method} path=${path} format=html controller=A action=b status=${status} duration=${500 + (n % 90)}.2`,
  ),
  log(
    "Envoy",
    (n, method, path, status) =>
      `[2026-03-02T${clock(n)}.310Z] "${method} ${path} HTTP/2" ${status} - 512 ${500 + (n % 90)} 26 23 "-" "grpc-go/1.6"`,
  ),
];
