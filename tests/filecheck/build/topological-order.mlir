// RUN: ge-opt %s --pipeline=topological-order | filecheck %s --check-prefix=DFS
// RUN: ge-opt %s --pipeline=topological-order{mode=bfs} | filecheck %s --check-prefix=BFS
// RUN: ge-opt %s --pipeline=topological-order{mode=stable-rdfs} | filecheck %s --check-prefix=STABLE

// DFS: %d = ge.Sqrt(%x)
// DFS-NEXT: %e = ge.Abs(%d)
// DFS-NEXT: %b = ge.Exp(%x)
// DFS-NEXT: %c = ge.Abs(%b)
// DFS-NEXT: ge.NetOutput(%c, %e)

// BFS: %b = ge.Exp(%x)
// BFS-NEXT: %d = ge.Sqrt(%x)
// BFS-NEXT: %c = ge.Abs(%b)

// STABLE: %b = ge.Exp(%x)
// STABLE-NEXT: %d = ge.Sqrt(%x)
// STABLE-NEXT: %c = ge.Abs(%b)
ge.graph @net(%in: tensor<8xf16>) {
  %x = ge.Relu(%in) : tensor<8xf16>
  %b = ge.Exp(%x) : tensor<8xf16>
  %d = ge.Sqrt(%x) : tensor<8xf16>
  %c = ge.Abs(%b) : tensor<8xf16>
  %e = ge.Abs(%d) : tensor<8xf16>
  ge.NetOutput(%c, %e)
}
