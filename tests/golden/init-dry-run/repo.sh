git commit -q --allow-empty -m first
