/** Where boxes and edges go. It knows nothing of the page, so that it can run in a worker. */

import dagre from "@dagrejs/dagre";

export interface Sketch {
  /** A box may be in a group, and a group in another one. */
  boxes: { id: string; wide: number; high: number; group: string | null }[];
  groups: { id: string; group: string | null }[];
  edges: { from: string; to: string; wide: number }[];
}

export interface Laid {
  wide: number;
  high: number;
  /** The middles of the boxes, in their order. */
  boxes: { x: number; y: number }[];
  /** The points of the edges, in their order. */
  edges: { x: number; y: number }[][];
  /** The groups, in their order, by their middles. */
  groups: { x: number; y: number; wide: number; high: number }[];
}

export type Lay = (sketch: Sketch) => Promise<Laid>;

export function laid({ boxes, edges, groups }: Sketch): Laid {
  const graph = new dagre.graphlib.Graph({ multigraph: false, compound: groups.length > 0 });
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of groups) graph.setNode(id, {});
  for (const { id, wide, high } of boxes) graph.setNode(id, { width: wide, height: high });
  for (const { id, group } of [...groups, ...boxes]) if (group !== null) graph.setParent(id, group);
  for (const { from, to, wide } of edges) graph.setEdge(from, to, { width: wide, height: 14, labelpos: "c" });
  dagre.layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  const point = ({ x, y }: { x: number; y: number }) => ({ x, y });
  return {
    wide: size.width ?? 800,
    high: size.height ?? 600,
    boxes: boxes.map(({ id }) => point(graph.node(id) as { x: number; y: number })),
    groups: groups.map(({ id }) => {
      const { x, y, width, height } = graph.node(id) as { x: number; y: number; width: number; height: number };
      return { x, y, wide: width, high: height };
    }),
    edges: edges.map(({ from, to }) =>
      (graph.edge(from, to) as { points: { x: number; y: number }[] }).points.map(point),
    ),
  };
}

/** In place, where there is no worker. */
export const layHere: Lay = (sketch) => new Promise((done) => done(laid(sketch)));
