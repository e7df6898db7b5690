/** Outputs of package managers, containers, machines and other tools of every day. */
import { amid, clock, file, folder, hex, lines, noun, type Output, pascal, stamp, symbol, text, upper } from "./kit";

const npmInstall = (): Output => ({
  name: "npm install",
  stderr: text(
    lines(
      130,
      n =>
        `npm warn deprecated ${noun(n)}-${folder(n)}@${n % 9}.${n % 4}.0: ${["This module is not supported and leaks memory", "Use the platform's own instead", "Please upgrade to the newest major", "No longer maintained, see its repository"][n % 4]}.`,
    ),
    "npm error code ERESOLVE",
    "npm error ERESOLVE could not resolve",
    "npm error",
    "npm error While resolving: shop@1.4.0",
    "npm error Found: react@19.0.0",
    "npm error node_modules/react",
    'npm error   react@"^19.0.0" from the root project',
    "npm error",
    "npm error Could not resolve dependency:",
    'npm error peer react@"^17.0.0" from old-datepicker@4.2.1',
    "npm error node_modules/old-datepicker",
    'npm error   old-datepicker@"^4.2.1" from the root project',
    "npm error",
    "npm error Fix the upstream dependency conflict, or retry",
    "npm error this command with --force or --legacy-peer-deps",
    "npm error to accept an incorrect (and potentially broken) dependency resolution.",
    lines(30, n => `npm error   ${noun(n)}@"^${n}.0.0" from ${symbol(n)}@${n}.1.0`),
    "npm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-03-02T14_03_27_412Z-debug-0.log",
  ),
  matters: ['peer react@"^17.0.0" from old-datepicker@4.2.1', "Found: react@19.0.0"],
});

const npmCi = (): Output => ({
  name: "npm ci",
  stderr: text(
    lines(
      150,
      n =>
        `npm warn deprecated ${noun(n)}-${folder(n)}@${n % 9}.${n % 4}.0: ${["This module is not supported and leaks memory", "Use the platform's own instead", "Please upgrade to the newest major", "No longer maintained, see its repository"][n % 4]}.`,
    ),
    "npm warn EBADENGINE Unsupported engine {",
    "npm warn EBADENGINE   package: 'undici@8.0.0',",
    "npm warn EBADENGINE   required: { node: '>=22.0.0' },",
    "npm warn EBADENGINE   current: { node: 'v20.11.0', npm: '10.2.4' }",
    "npm warn EBADENGINE }",
  ),
  stdout: text(
    "",
    "added 1412 packages, and audited 1413 packages in 24s",
    "",
    "212 packages are looking for funding",
    "  run `npm fund` for details",
    "",
    "12 vulnerabilities (3 moderate, 9 high)",
    "",
    "To address all issues, run:",
    "  npm audit fix",
  ),
  matters: ["EBADENGINE Unsupported engine", "added 1412 packages", "12 vulnerabilities (3 moderate, 9 high)"],
});

const docker = (): Output => ({
  name: "docker build",
  stderr: text(
    lines(
      80,
      n =>
        `#${(n % 6) + 4} ${n / 10} Get:${n} http://deb.debian.org/debian bookworm/main amd64 ${noun(n)}-${folder(n)} amd64 ${n}.2-1 [${n * 9} kB]`,
    ),
    lines(
      180,
      n =>
        `#14 ${(n / 4).toFixed(1)} Collecting ${noun(n)}-${folder(n)}==${n % 9}.${n % 5} (from -r requirements.txt (line ${n}))`,
    ),
    "#14 61.2 ERROR: Could not find a version that satisfies the requirement torchx==9.9 (from versions: 0.1.0, 0.7.0)",
    "#14 61.2 ERROR: No matching distribution found for torchx==9.9",
    lines(200, n => `#18 ${n}.4   Downloading ${noun(n)}_${folder(n)}-${n}.0-py3-none-any.whl (${n} kB)`),
    "#18 241.2 Killed",
    '#18 ERROR: process "/bin/sh -c npm run build" did not complete successfully: exit code: 137',
    "------",
    " > [build 7/9] RUN npm run build:",
    "240.1 building for production",
    "241.2 Killed",
    "------",
    "Dockerfile:31",
    "--------------------",
    "  29 |     COPY . .",
    "  30 |     ENV NODE_ENV=production",
    "  31 | >>> RUN npm run build",
    "  32 |     FROM nginx:1.27",
    "--------------------",
    'ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 137',
  ),
  matters: ["No matching distribution found for torchx==9.9", "241.2 Killed", "exit code: 137"],
});

const pod = (n: number) =>
  `${folder(n).padEnd(12)}${noun(n)}-${hex(n, 9)}-${hex(n + 3, 5)}${" ".repeat(6)}1/1     Running            0                ${n % 30}d`;

const kubectl = (): Output => ({
  name: "kubectl",
  stdout: text(
    "NAMESPACE   NAME                           READY   STATUS             RESTARTS         AGE",
    lines(170, pod),
    "billing     invoice-6f7b9c4d5-x2x9k        0/1     CrashLoopBackOff   41 (2m ago)      3h",
    lines(90, n => pod(n + 170)),
    "mail        sender-5d4c7f9b8-q8wzn         0/1     ImagePullBackOff   0                12m",
    lines(60, n => pod(n + 260)),
    "Name:             invoice-6f7b9c4d5-x2x9k",
    "Containers:",
    "  invoice:",
    "    State:          Waiting",
    "    Last State:     Terminated",
    "      Reason:       OOMKilled",
    "      Exit Code:    137",
    lines(
      50,
      n => `    ${symbol(n).toUpperCase()}:  <set to the key '${noun(n)}' in secret '${folder(n)}'>  Optional: false`,
    ),
    "QoS Class:                   Burstable",
  ),
  matters: [
    "invoice-6f7b9c4d5-x2x9k        0/1     CrashLoopBackOff",
    "sender-5d4c7f9b8-q8wzn         0/1     ImagePullBackOff",
    "OOMKilled",
  ],
});

const dmesg = (): Output => ({
  name: "dmesg",
  stdout: text(
    lines(
      500,
      n =>
        `[${(n * 1.37).toFixed(6).padStart(12)}] ${["usb 1-2: new high-speed USB device number", "eth0: link becomes ready at speed", "audit: type=1400 op=open pid", "docker0: port entered forwarding state, port"][n % 4]} ${n}`,
    ),
    "[  842.118204] node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
    lines(
      120,
      n =>
        `[  842.118${300 + n}] [  ${40000 + n}]  1000 ${40000 + n}   ${n * 991}     ${n * 31}   110592        0             0 ${noun(n)}`,
    ),
    "[  842.121877] Out of memory: Killed process 48213 (node) total-vm:22914048kB, anon-rss:15820412kB, file-rss:0kB",
    lines(
      300,
      n =>
        `[${(900 + n * 1.1).toFixed(6).padStart(12)}] ${["usb 1-2: new high-speed USB device number", "eth0: link becomes ready at speed", "audit: type=1400 op=open pid"][n % 3]} ${n}`,
    ),
    "[ 1304.550012] I/O error, dev nvme0n1, sector 125829120 op 0x1:(WRITE) flags 0x800 phys_seg 4 prio class 2",
    lines(60, n => `[${(1400 + n).toFixed(6).padStart(12)}] veth${hex(n, 7)}: renamed from eth0`),
  ),
  matters: ["invoked oom-killer", "Killed process 48213 (node)", "I/O error, dev nvme0n1"],
});

const resource = (n: number) => [
  `  # aws_${noun(n)}_${folder(n)}.main[${n}] will be created`,
  `  + resource "aws_${noun(n)}_${folder(n)}" "main" {`,
  ...lines(9, m => `      + ${noun(n + m)}_${folder(m)} = "${hex(n * m, 12)}"`),
  `      + arn = (known after apply)`,
  "    }",
  "",
];

const terraform = (): Output => ({
  name: "terraform",
  stdout: text(
    lines(90, n => `aws_${noun(n)}_${folder(n)}.main: Refreshing state... [id=${hex(n, 12)}]`),
    "Terraform will perform the following actions:",
    "",
    lines(30, resource).flat(),
    "  # aws_db_instance.orders must be replaced",
    '-/+ resource "aws_db_instance" "orders" {',
    '      ~ address           = "orders.c1x.eu-central-1.rds.amazonaws.com" -> (known after apply)',
    '      ~ engine_version    = "14.9" -> "16.3"',
    "      ~ storage_encrypted = false -> true # forces replacement",
    "    }",
    "",
    lines(30, n => resource(n + 30)).flat(),
    "Plan: 61 to add, 0 to change, 1 to destroy.",
    "",
    "Changes to Outputs:",
    lines(40, n => `  + ${noun(n)}_${folder(n)}_arn = (known after apply)`),
  ),
  matters: [
    "aws_db_instance.orders must be replaced",
    "forces replacement",
    "Plan: 61 to add, 0 to change, 1 to destroy",
  ],
});

const merge = (): Output => ({
  name: "git merge",
  stdout: text(
    amid(
      amid(
        lines(420, n => `Auto-merging ${file(n, "ts", "packages/app/src")}`),
        0.4,
        "CONFLICT (content): Merge conflict in packages/app/src/billing/tax.ts",
      ),
      0.7,
      "CONFLICT (modify/delete): packages/app/src/mail/old.ts deleted in HEAD and modified in feature/mail.  Version feature/mail of packages/app/src/mail/old.ts left in tree.",
    ),
    "Automatic merge failed; fix conflicts and then commit the result.",
  ),
  matters: ["Merge conflict in packages/app/src/billing/tax.ts", "packages/app/src/mail/old.ts deleted in HEAD"],
});

const rsync = (): Output => ({
  name: "rsync",
  stdout: text(
    "sending incremental file list",
    lines(900, n => `assets/${folder(n)}/${noun(n)}/${hex(n, 12)}.webp`),
    "",
    "sent 48,120,331 bytes  received 18,204 bytes  1,203,463.37 bytes/sec",
    "total size is 912,004,118  speedup is 18.94",
  ),
  stderr: text(
    'rsync: [sender] send_files failed to open "/srv/shop/assets/private/keys.webp": Permission denied (13)',
    "rsync error: some files/attrs were not transferred (see previous errors) (code 23) at main.c(1338) [sender=3.2.7]",
  ),
  matters: ["assets/private/keys.webp", "some files/attrs were not transferred"],
});

const ansible = (): Output => ({
  name: "ansible",
  stdout: text(
    lines(40, n => [
      "",
      `TASK [${folder(n)} : install ${noun(n)}] ${"*".repeat(50)}`,
      ...lines(8, m => `${n % 3 === 0 ? "changed" : "ok"}: [web-0${m}]`),
    ]).flat(),
    "",
    `TASK [billing : restart the service] ${"*".repeat(42)}`,
    'fatal: [web-07]: FAILED! => {"changed": false, "msg": "Unable to restart service billing: Job for billing.service failed because the control process exited with error code."}',
    'fatal: [web-04]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: ssh: connect to host web-04 port 22: Connection timed out", "unreachable": true}',
    lines(20, n => [
      "",
      `TASK [${folder(n)} : check ${noun(n)}] ${"*".repeat(50)}`,
      ...lines(6, m => `ok: [web-0${m}]`),
    ]).flat(),
    "",
    `PLAY RECAP ${"*".repeat(68)}`,
    lines(
      8,
      n =>
        `web-0${n}                     : ok=${n === 4 ? 39 : 60}   changed=13   unreachable=${n === 4 ? 1 : 0}    failed=${n === 7 ? 1 : 0}    skipped=4    rescued=0    ignored=0`,
    ),
  ),
  matters: ["Unable to restart service billing", "[web-04]: UNREACHABLE!", "unreachable=0    failed=1"],
});

const psql = (): Output => ({
  name: "psql",
  stdout: text(
    amid(
      lines(900, n => ["INSERT 0 1", "UPDATE 1", "CREATE INDEX", "ALTER TABLE"][n % 4] as string),
      0.9,
      "ROLLBACK",
    ),
  ),
  stderr: text(
    lines(40, n => `psql:seed.sql:${n * 20}: NOTICE:  relation "${noun(n)}_${folder(n)}" already exists, skipping`),
    'psql:seed.sql:811: ERROR:  duplicate key value violates unique constraint "orders_pkey"',
    "DETAIL:  Key (id)=(4711) already exists.",
    lines(
      60,
      n =>
        `psql:seed.sql:${811 + n}: ERROR:  current transaction is aborted, commands ignored until end of transaction block`,
    ),
  ),
  matters: ['violates unique constraint "orders_pkey"', "Key (id)=(4711) already exists"],
});

const curl = (): Output => ({
  name: "curl -v",
  stderr: text(
    lines(
      70,
      n =>
        `* Trying 10.4.${n}.12:443...\n* connect to 10.4.${n}.12 port 443 from 10.0.0.4 port ${40000 + n} open after ${n} ms`,
    ),
    "* Connected to api.acme.test (10.4.71.12) port 443",
    "* ALPN: curl offers h2,http/1.1",
    lines(60, n => `} [${n * 5} bytes data]\n* TLSv1.3 (OUT), TLS handshake, step (${n}):`),
    "* SSL certificate problem: certificate has expired",
    lines(60, n => `{ [${n * 17} bytes data]\n* TLSv1.3 (IN), TLS alert, round (${n}):`),
    "* Closing connection",
    "curl: (60) SSL certificate problem: certificate has expired",
    "More details here: https://curl.se/docs/sslcerts.html",
    "",
    "curl failed to verify the legitimacy of the server and therefore could not",
    "establish a secure connection to it. To learn more about this situation and",
    "how to fix it, please visit the web page mentioned above.",
  ),
  matters: ["curl: (60)", "certificate has expired"],
});

const rails = (): Output => ({
  name: "rails log",
  stdout: text(
    lines(150, n => [
      `I, [2026-03-02T${clock(n)}.${100 + n} #912]  INFO -- : [${hex(n, 8)}] Started GET "/${folder(n)}/${n}" for 10.0.0.${n % 250} at 2026-03-02`,
      `I, [2026-03-02T${clock(n)}.${101 + n} #912]  INFO -- : [${hex(n, 8)}] Completed 200 OK in ${n}ms (Views: ${n % 40}.1ms | ActiveRecord: ${n % 9}.2ms)`,
    ]).flat(),
    'I, [2026-03-02T14:03:27.412 #912]  INFO -- : [7f3a9c1d] Started POST "/orders" for 10.0.0.17 at 2026-03-02',
    "I, [2026-03-02T14:03:27.498 #912]  INFO -- : [7f3a9c1d] Completed 500 Internal Server Error in 86ms (ActiveRecord: 4.1ms)",
    "F, [2026-03-02T14:03:27.499 #912] FATAL -- : [7f3a9c1d]   ",
    'F, [2026-03-02T14:03:27.499 #912] FATAL -- : [7f3a9c1d] ActiveRecord::RecordNotUnique (PG::UniqueViolation: duplicate key value violates unique constraint "index_orders_on_number"',
    "F, [2026-03-02T14:03:27.499 #912] FATAL -- : [7f3a9c1d] app/controllers/orders_controller.rb:23:in `create'",
    lines(150, n => [
      `I, [2026-03-02T${clock(n)}.${100 + n} #912]  INFO -- : [${hex(n + 9, 8)}] Started GET "/${folder(n)}/${n}" for 10.0.0.${n % 250} at 2026-03-02`,
      `I, [2026-03-02T${clock(n)}.${101 + n} #912]  INFO -- : [${hex(n + 9, 8)}] Completed 200 OK in ${n}ms (Views: ${n % 40}.1ms | ActiveRecord: ${n % 9}.2ms)`,
    ]).flat(),
  ),
  matters: [
    "ActiveRecord::RecordNotUnique",
    "app/controllers/orders_controller.rb:23",
    "Completed 500 Internal Server Error",
  ],
});

const javaLine = (n: number) =>
  `${stamp(n)}  INFO 1 --- [nio-8080-exec-${(n % 9) + 1}] com.acme.${folder(n)}.${pascal(n)}${" ".repeat(8)}: ${upper(noun(n))} ${4000 + n} is on its way to ${folder(n + 2)}`;

const java = (): Output => ({
  name: "Java exceptions without Error in their name",
  stdout: text(
    lines(500, javaLine),
    "com.acme.shop.OrderRejected: stock of sku 4711 is gone",
    "\tat com.acme.shop.Checkout.place(Checkout.java:118)",
    lines(45, n => `\tat org.springframework.${folder(n)}.${pascal(n)}.invoke(${pascal(n)}.java:${n * 7})`),
    "Caused by: com.acme.stock.SoldOut: 0 of 3 left",
    "\tat com.acme.stock.Shelf.take(Shelf.java:77)",
    "\t... 46 more",
    lines(500, n => javaLine(n + 500)),
  ),
  matters: [
    "com.acme.shop.OrderRejected: stock of sku 4711 is gone",
    "Caused by: com.acme.stock.SoldOut",
    "Checkout.java:118",
  ],
});

export const operations = (): Output[] => [
  npmInstall(),
  npmCi(),
  docker(),
  kubectl(),
  dmesg(),
  terraform(),
  merge(),
  rsync(),
  ansible(),
  psql(),
  curl(),
  rails(),
  java(),
];
