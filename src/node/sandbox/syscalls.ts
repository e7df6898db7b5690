/** Refuses ways out that are no files and no network: sockets to the machine around a virtual one (WSL), the kernel's keys. A filter of system calls (seccomp, classic BPF). */

/** by the kernel's numbers: the machine, `socket`, refused calls */
interface Machine {
  arch: number;
  socket: number;
  /** add_key, request_key, keyctl, bpf, and on old machines what makes sockets out of sight */
  refused: readonly number[];
  /** numbers from here on are those of a second table */
  limit?: number;
}

/** The same on all machines: setup, enter, register. Through it sockets could be made unseen. */
const IO_URING = [425, 426, 427];
const MACHINES: Partial<Record<NodeJS.Architecture, readonly Machine[]>> = {
  x64: [
    { arch: 0xc000003e, socket: 41, refused: [248, 249, 250, 321], limit: 0x40000000 },
    { arch: 0x40000003, socket: 359, refused: [286, 287, 288, 357, 102] },
  ],
  arm64: [
    { arch: 0xc00000b7, socket: 198, refused: [217, 218, 219, 280] },
    { arch: 0x40000028, socket: 281, refused: [309, 310, 311, 386] },
  ],
};
/** this machine's own, the internet's two, the kernel's about interfaces */
const FAMILIES = [1, 2, 10, 16];

const NUMBER_AT = 0;
const ARCH_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const ALLOW = 0x7fff0000;
const failing = (errno: number) => 0x00050000 | errno;
const EPERM = failing(1);
const ENOSYS = failing(38);
const EAFNOSUPPORT = failing(97);

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (at: number): Instruction => [0x20, 0, 0, at];
const answer = (value: number): Instruction => [0x06, 0, 0, value];
/** Where it is not so, `skipped` instructions are passed over. */
const ifEqual = (value: number, skipped: number): Instruction => [0x15, 0, skipped, value];
const ifAtLeast = (value: number, skipped: number): Instruction => [0x35, 0, skipped, value];

/** undefined: nothing is known of this machine's calls */
export function systemCallFilter(architecture: NodeJS.Architecture = process.arch): Uint8Array | undefined {
  const machines = MACHINES[architecture];
  if (!machines) return undefined;
  const program = [...machines.flatMap(forMachine), answer(ALLOW)];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}

function forMachine({ arch, socket, refused, limit }: Machine): Instruction[] {
  const families = FAMILIES.flatMap(family => [ifEqual(family, 1), answer(ALLOW)]);
  const sockets = [load(FIRST_ARGUMENT_AT), ...families, answer(EAFNOSUPPORT)];
  const calls = [
    load(NUMBER_AT),
    ...(limit === undefined ? [] : [ifAtLeast(limit, 1), answer(ENOSYS)]),
    ...IO_URING.flatMap(number => [ifEqual(number, 1), answer(ENOSYS)]),
    ...refused.flatMap(number => [ifEqual(number, 1), answer(EPERM)]),
    ifEqual(socket, sockets.length),
    ...sockets,
    answer(ALLOW),
  ];
  return [load(ARCH_AT), ifEqual(arch, calls.length), ...calls];
}
