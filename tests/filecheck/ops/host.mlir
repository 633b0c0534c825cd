// Each operator as text, and the result types its rule gives where they are not written.
// RUN: ge-opt %s -p infer-shape | filecheck %s

ge.graph @HostUnique(%0: tensor<2x3xf32>) {
  // CHECK: ge.HostUnique({{.*}} : tensor<?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.HostUnique(%0) : tensor<*xf32>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @HostUnique_2(%0: tensor<2x3xf32>) {
  // CHECK: ge.HostUnique({{.*}} : tensor<2x?xf32>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>{{$}}
  %n, %n_1, %n_2, %n_3 = ge.HostUnique(%0) {sorted = false, axis = 1} : tensor<*xf32>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>
  ge.NetOutput(%n, %n_1, %n_2, %n_3)
}

ge.graph @HostTfIdfVectorizer(%0: tensor<2x6xi32>) {
  // CHECK: ge.HostTfIdfVectorizer({{.*}} : tensor<2x4xf32>{{$}}
  %n = ge.HostTfIdfVectorizer(%0) {mode = "TF", min_gram_length = 1, max_gram_length = 2, max_skip_count = 1, ngram_counts = [0, 2], ngram_indexes = [0, 1, 2, 3], pool_int64s = [2, 3, 5, 4, 5, 6]} : tensor<*xf32>
  ge.NetOutput(%n)
}

ge.graph @HostTfIdfVectorizer_2(%0: tensor<6xi64>) {
  // CHECK: ge.HostTfIdfVectorizer({{.*}} : tensor<4xf32>{{$}}
  %n = ge.HostTfIdfVectorizer(%0) {mode = "TFIDF", min_gram_length = 1, max_gram_length = 2, max_skip_count = 1, ngram_counts = [0, 2], ngram_indexes = [0, 1, 2, 3], pool_int64s = [2, 3, 5, 4, 5, 6], weights = [1.0, 1.0, 1.0, 1.0]} : tensor<*xf32>
  ge.NetOutput(%n)
}
