#include "ops/calibration.h"
#include "ops/patch_ops.h"
#include "ops/repo_config.h"

namespace gh::ops {

Result<Reply> patch_calibrate(const Request& request, Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(head, repo.objects().commit("HEAD"));
  GH_TRY(config, config_at(repo, head));
  context.progress("reading the history");
  GH_TRY(sizes, repo.commit_sizes(head.id, *request.integer("commits")));
  const Calibration found = calibrate(sizes, config.patch.max_files, config.patch.max_added_lines);
  Reply reply;
  reply.document = calibration_document(found);
  reply.text = [found](const report::Look& look) { return render_calibration(found, look); };
  return reply;
}

}  // namespace gh::ops
