/** Where boxes and edges go. It knows nothing of the page, so that it can run in a worker. */

import dagre from "@dagrejs/dagre";

export interface Sketch {
  boxes: { id: string; wide: number; high: number }[];
  edges: { from: string; to: string; wide: number }[];
}

export interface Laid {
  wide: number;
  high: number;
  /** The middles of the boxes, in their order. */
  boxes: { x: number; y: number }[];
  /** The points of the edges, in their order. */
  edges: { x: number; y: number }[][];
}

export type Lay = (sketch: Sketch) => Promise<Laid>;

export function laid({ boxes, edges }: Sketch): Laid {
  const graph = new dagre.graphlib.Graph({ multigraph: false });
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, wide, high } of boxes) graph.setNode(id, { width: wide, height: high });
  for (const { from, to, wide } of edges) graph.setEdge(from, to, { width: wide, height: 14, labelpos: "c" });
  dagre.layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  const point = ({ x, y }: { x: number; y: number }) => ({ x, y });
  return {
    wide: size.width ?? 800,
    high: size.height ?? 600,
    boxes: boxes.map(({ id }) => point(graph.node(id) as { x: number; y: number })),
    edges: edges.map(({ from, to }) => (graph.edge(from, to) as { points: { x: number; y: number }[] }).points.map(point)),
  };
}

/** In place, where there is no worker. */
export const layHere: Lay = (sketch) => new Promise((done) => done(laid(sketch)));
