# gh_embed(target FILE...): puts data files into the binary as gh::data::<name>, see tools/embed.cmake.
