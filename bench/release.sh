# The release scan beside an empty process, and beside the bare parse of what it reads. Sourced by bench/run: uses
# its functions and variables.

# openapi FORM [COUNT]: 5,000 operations, or so many, 500 schemas that they name by $ref and that name others; one tool in four writes
openapi() {
  awk -v n="${2:-5000}" -v form="$1" '
    function words(i,   s, k) {
      s = ""
      for (k = 0; k < 7; ++k) s = s (k ? " " : "") word[(i * 7 + k * k * 3) % count]
      return s
    }
    function method(i) { return i % 4 == 3 ? "post" : "get" }
    function name(i) { return (method(i) == "get" ? "get_" : "put_") word[i % count] "_" i }
    function json(   i, k) {
      printf "{\n \"openapi\": \"3.0.3\",\n \"info\": {\"title\": \"Ledger\", \"version\": \"1\"},\n \"paths\": {\n"
      for (i = 0; i < n; ++i) {
        printf "  \"/v1/%s/%d/items/{id}\": {\n   \"%s\": {\n    \"operationId\": \"%s\",\n", word[i % count], i, method(i), name(i)
        printf "    \"summary\": \"Handle %s.\",\n    \"description\": \"%s and then %s.\",\n", words(i), words(i + 1), words(i + 2)
        printf "    \"parameters\": [\n     {\"$ref\": \"#/components/parameters/Id\"}"
        for (k = 0; k < 6; ++k)
          printf ",\n     {\"name\": \"%s_%d\", \"in\": \"query\", \"required\": %s, \"description\": \"%s\", \"schema\": {\"type\": \"%s\", %s}}", word[(i + k) % count], k, (k % 2 ? "true" : "false"), words(i + k), (k % 3 ? "string" : "integer"), (k % 3 ? "\"maxLength\": 40" : "\"maximum\": 100")
        printf "\n    ],\n"
        if (method(i) == "post") printf "    \"requestBody\": {\"content\": {\"application/json\": {\"schema\": {\"$ref\": \"#/components/schemas/S%d\"}}}},\n", i % 500
        printf "    \"security\": [{\"oauth\": [\"items:%s\"]}],\n", (method(i) == "get" ? "read" : "write")
        printf "    \"responses\": {\"200\": {\"description\": \"%s\", \"content\": {\"application/json\": {\"schema\": {\"$ref\": \"#/components/schemas/S%d\"}}}}}\n   }\n  }%s\n", words(i + 3), (i * 7) % 500, (i < n - 1 ? "," : "")
      }
      printf " },\n \"components\": {\n  \"parameters\": {\"Id\": {\"name\": \"id\", \"in\": \"path\", \"required\": true, \"schema\": {\"type\": \"string\", \"maxLength\": 40}}},\n"
      printf "  \"securitySchemes\": {\"oauth\": {\"type\": \"oauth2\"}},\n  \"schemas\": {\n"
      for (i = 0; i < 500; ++i) {
        printf "   \"S%d\": {\"type\": \"object\", \"properties\": {", i
        for (k = 0; k < 8; ++k) printf "\"%s_%d\": {\"type\": \"string\", \"maxLength\": 80, \"description\": \"%s\"}, ", word[(i + k) % count], k, words(i + k)
        printf "\"next\": {\"$ref\": \"#/components/schemas/T%d\"}}},\n   \"T%d\": {\"type\": \"object\", \"properties\": {\"state\": {\"type\": \"string\", \"enum\": [\"open\", \"closed\"]}}}%s\n", i, i, (i < 499 ? "," : "")
      }
      print "  }\n }\n}"
    }
    function yaml(   i, k) {
      print "openapi: 3.0.3\ninfo: {title: Ledger, version: \"1\"}\npaths:"
      for (i = 0; i < n; ++i) {
        printf "  /v1/%s/%d/items/{id}:\n    %s:\n      operationId: %s\n", word[i % count], i, method(i), name(i)
        printf "      summary: Handle %s.\n      description: %s and then %s.\n      parameters:\n        - $ref: \"#/components/parameters/Id\"\n", words(i), words(i + 1), words(i + 2)
        for (k = 0; k < 6; ++k)
          printf "        - name: %s_%d\n          in: query\n          required: %s\n          description: %s\n          schema:\n            type: %s\n            %s\n", word[(i + k) % count], k, (k % 2 ? "true" : "false"), words(i + k), (k % 3 ? "string" : "integer"), (k % 3 ? "maxLength: 40" : "maximum: 100")
        if (method(i) == "post") printf "      requestBody:\n        content:\n          application/json:\n            schema: {$ref: \"#/components/schemas/S%d\"}\n", i % 500
        printf "      security:\n        - oauth: [\"items:%s\"]\n      responses:\n        \"200\":\n          description: %s\n          content:\n            application/json:\n              schema:\n                $ref: \"#/components/schemas/S%d\"\n", (method(i) == "get" ? "read" : "write"), words(i + 3), (i * 7) % 500
      }
      print "components:\n  parameters:\n    Id: {name: id, in: path, required: true, schema: {type: string, maxLength: 40}}\n  securitySchemes:\n    oauth: {type: oauth2}\n  schemas:"
      for (i = 0; i < 500; ++i) {
        printf "    S%d:\n      type: object\n      properties:\n", i
        for (k = 0; k < 8; ++k) printf "        %s_%d:\n          type: string\n          maxLength: 80\n          description: %s\n", word[(i + k) % count], k, words(i + k)
        printf "        next:\n          $ref: \"#/components/schemas/T%d\"\n    T%d:\n      type: object\n      properties:\n        state:\n          type: string\n          enum: [open, closed]\n", i, i
      }
    }
    BEGIN {
      count = split("order account region ledger record window filter cursor page batch shard replica tenant project folder label note owner status summary entry group member metric sample bucket queue topic stage track", parts, " ")
      for (k = 1; k <= count; ++k) word[k - 1] = parts[k]
      if (form == "json") json(); else yaml()
    }'
}

mkdir "$scratch/example"
cp -r "$root"/data/fixtures/refund-agent/{shipgate.yaml,tools} "$scratch/example"
cd "$scratch/example"
turns "$gatehouse" release scan --- "$build/bench/ref_empty"
row "release scan of the example project / empty process ($b us)" "$(ratio "$a" "$b")" '<=' 5 times

for form in yaml json; do
  mkdir -p "$scratch/$form"
  cd "$scratch/$form"
  openapi $form >api.$form
  cat >shipgate.yaml <<END
version: "0.1"
project: {name: ledger}
agent: {name: ledger-agent, declared_purpose: [look up and change ledger records]}
environment: {target: staging}
tool_sources:
  - {id: ledger, type: openapi, path: api.$form}
permissions:
  scopes: ["items:read", "items:write"]
END
  bytes=$(stat -c %s api.$form)
  reference=$build/bench/ref_yaml_events
  [[ $form == yaml ]] || reference=$build/bench/ref_json_parse
  alternate "$spawn" 1 "$gatehouse" release scan --- "$spawn" 1 "$reference" api.$form
  what="release scan, 5,000 tools, $((bytes / 1000)) kB of $form / bare parse ($b us)"
  # simdjson takes no longer than it takes to get the memory (docs/adr/0037): told, and judged for YAML.
  if [[ $form == yaml ]]; then row "$what" "$(ratio "$a" "$b")" '<=' 3 times; else told "$what" "$(ratio "$a" "$b")" times; fi
  peak=$("$spawn" 1 "$gatehouse" release scan | awk '{print int($2 / 1024)}')
  row "peak memory of that scan, $form" "$peak" '<=' $((10 * bytes / 1048576 + 50)) MiB
done
cd /

# A change of ten files in a repository of 100,000, two of them what the agent is described by.
repository "$scratch/many" 100000
cd "$scratch/many"
git config user.name Bench
git config user.email bench@example.invalid
cp -r "$root"/data/fixtures/refund-agent/{shipgate.yaml,tools} .
git update-index --add shipgate.yaml tools/payments.mcp.json
git commit -q -m base
git symbolic-ref HEAD refs/heads/pr
git update-ref refs/heads/pr main
for ((i = 1; i <= 8; ++i)); do
  mkdir -p "d$((i * 100))"
  echo "line $i, changed" >"d$((i * 100))/f$((i * 10000)).txt"
  git update-index "d$((i * 100))/f$((i * 10000)).txt"
done
echo '# changed' >>shipgate.yaml
sed -i '1s/{/{ /' tools/payments.mcp.json
git update-index shipgate.yaml tools/payments.mcp.json
git commit -q -m change
git repack -adq
[[ $(git diff --name-only main pr | wc -l) == 10 ]] || { echo 'bench: the change is not ten files' >&2; exit 1; }
alternate "$spawn" 9 "$gatehouse" release scan --format none --- "$spawn" 9 "$build/bench/ref_empty"
scan=$a
alternate "$spawn" 9 "$gatehouse" release verify --base main --head pr --no-reports --- "$spawn" 9 git diff --name-status main pr
verify=$(awk -v a="$a" -v s="$scan" 'BEGIN {print a - s}')
row "release verify, 10 of 100,000 files, less its scan ($scan us) / git diff ($b us)" "$(ratio "$verify" "$b")" '<=' 3 times
cd /

# What tool-surface 15 owes: whole processes.
ms() { awk -v us="$1" 'BEGIN {printf "%.2f", us / 1000}'; }
# manifest TYPE PATH: of one source
manifest() {
  cat >shipgate.yaml <<END
version: "0.1"
project: {name: owed}
agent: {name: owed-agent, declared_purpose: [look up records]}
environment: {target: staging}
tool_sources:
  - {id: owed, type: $1, path: $2}
END
}
# scan_row WHAT BOUND RUNS: milliseconds of a scan in this folder
scan_row() {
  alternate "$spawn" "$3" "$gatehouse" release scan --- "$spawn" "$3" "$build/bench/ref_empty"
  row "$1" "$(ms "$a")" '<=' "$2" ms
}
for count in 1 8; do
  mkdir "$scratch/tools$count"
  cd "$scratch/tools$count"
  manifest mcp tools.json
  awk -v n="$count" 'BEGIN {
    printf "{\"tools\": ["
    for (i = 0; i < n; ++i) printf "%s{\"name\": \"get_record_%d\", \"description\": \"Looks up one record by its number.\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"id\": {\"type\": \"string\", \"maxLength\": 40}}}, \"annotations\": {\"readOnlyHint\": true}}", i ? "," : "", i
    print "]}" }' >tools.json
  scan_row "release scan of $count tool(s)" $((count == 1 ? 8 : 15)) 9
  [[ $count == 1 ]] || row 'peak memory of that scan' "$("$spawn" 1 "$gatehouse" release scan | awk '{print int($2 / 1024)}')" '<=' 15 MiB
done
mkdir "$scratch/thousand"
cd "$scratch/thousand"
manifest openapi api.json
openapi json 1000 >api.json
scan_row 'release scan of an OpenAPI document of 1,000 tools' 150 3
mkdir -p "$scratch/sources/server"
cd "$scratch/sources"
manifest mcp_server_source server
for ((i = 0; i < 2000; ++i)); do
  printf 'import { z } from "zod";\nexport function add(server) {\n  server.tool("get_record_%d", "Looks up one record.", { id: z.string() }, async ({ id }) => ({ content: [{ type: "text", text: id }] }));\n}\n' "$i" >"server/s$i.ts"
done
scan_row 'release scan of 2,000 source files' 1500 1
cd /
