mkdir -p .git/hooks && printf "#!/bin/sh\n" > .git/hooks/pre-push
git commit -q --allow-empty -m first
