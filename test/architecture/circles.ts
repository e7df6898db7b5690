/** Circles of imports, between files and between rooms. A room is a folder. Types count: they tie what people read. */
import { posix } from "node:path";
import type { Import } from "./imports";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each circle of files once, as `a → b → a`. */
export function circlesOfFiles(imports: readonly Import[]): string[] {
  const graph = graphOf(imports.map(({ from, to }) => [from, to]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].join(" → "));
    if (start >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** Each pair of rooms that a circle goes through, with the imports from the first to the second. */
export function circlesOfRooms(imports: readonly Import[]): string[] {
  const between = imports.filter(({ to }) => to.includes("/") && /\.tsx?$/.test(to)).map(edge);
  const graph = graphOf(between.map(({ from, to }) => [from, to]));
  const pairs = Map.groupBy(
    between.filter(({ from, to }) => from !== to && reaches(graph, to, from)),
    ({ from, to }) => `${from} → ${to}`,
  );
  return [...pairs].map(([pair, edges]) => `${pair} (${edges.map(({ files }) => files).join(", ")})`).sort();
}

function edge({ from, to }: Import) {
  const files = `${posix.basename(from)} imports ${posix.basename(to)}`;
  return { from: posix.dirname(from), to: posix.dirname(to), files };
}

function graphOf(edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

function reaches(graph: Graph, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const room of seen) for (const next of graph.get(room) ?? []) seen.add(next);
  return seen.has(to);
}
