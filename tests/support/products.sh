# SPDX-License-Identifier: GPL-3.0-or-later
# For tests/long/packings.sh: each verb, container, drive and law of packgen. Each product passes
# rockable --check --strict without a deep overlap, and runs 1,000 steps under --strict with
# overlaps below 1 % of a size. Products at rest or under pressure have contacts from the start.

# product WHAT ARGUMENTS...: makes $products/WHAT/conf0 by packgen ARGUMENTS and judges it over $steps steps
steps=1000
touching=0 # least number of contacts at the start
product() {
  local what=$1 dir=$products/$1 result=ok figure
  shift
  mkdir -p "$dir"
  if ! (
    cd "$products"
    packgen "$@" -q --force -o "$what/conf0" &&
      rockable "$what/conf0" --check --strict --json >"$what/check.json" &&
      grep -q '"deepOverlaps": *0[,}]' "$what/check.json" &&
      grep -q '"bodiesInsideOthers": *0[,}]' "$what/check.json" &&
      [ "$(sed -n 's/^ *"contacts": *\([0-9]*\).*/\1/p' "$what/check.json")" -ge $touching ] &&
      rockable "$what/conf0" --steps $steps --strict -q --force -o "$what/run"
  ) >"$dir/log" 2>&1; then
    result=FAILED
    figure=$(tail -1 "$dir/log")
  else
    figure=$(grep -o '"largestOverlap": *[0-9.e+-]*' "$dir/run/run.json" | head -1 | sed 's/.*: *//')
    awk -v x="$figure" 'BEGIN { exit !(x < 0.01) }' || result=FAILED
    figure="largest overlap $figure"
  fi
  # Rows of passed products are one by kind; a failed one has its own.
  products_seen=$((products_seen + 1))
  worst=$(awk -v a="$worst" -v b="${figure##* }" 'BEGIN { print(b + 0 > a + 0 ? b : a) }')
  [ $result = ok ] || {
    products_failed=$((products_failed + 1))
    row "product $what" FAILED "$figure"
  }
}

# products_of KIND: begins, with no argument ends, a row of the table
products_of() {
  if [ -n "${kind:-}" ]; then
    row "$kind: $products_seen products, checked and run" "$([ $products_failed = 0 ] && echo ok || echo FAILED)" \
      "$products_failed fail; largest overlap $worst of a size"
  fi
  kind=${1:-} products_seen=0 products_failed=0 worst=0
}

# all_products FOLDER: packgen and rockable are on the PATH
all_products() {
  products=$1
  local data=$root/data/shapes type container drive law
  shapeSurvey make sphere --size 0.5 --name ball -q --force -o "$products/ball.shp"
  shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.02 --name box -q --force -o "$products/box.shp"
  local mixed=(--shapes "$data/dodecahedron.shp" --shapes "$data/brick.shp" --shapes "$data/tetrahedron.shp"
    --shapes "$data/boulder.shp" --shapes "$products/ball.shp")
  local lattice=()
  for type in "${mixed[@]}"; do lattice+=("${type/#--shapes/--shape}"); done
  printf 'shape,x,y,z\nbrick,0,2,0\nboulder,3,2,0\nball,0,5,0\n' >"$products/poses.csv"
  printf 'OFF\n8 6 0\n0 0 0\n3 0 0\n3 3 0\n0 3 0\n0 0 3\n3 0 3\n3 3 3\n0 3 3\n4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n' \
    >"$products/cube.off"
  local containers=(box:3,3,3 periodic:3,3,3 cylinder:1.6,3 sphere:1.8 drum:1.6,3 hopper:1.8,0.8,30,3 "mesh:$products/cube.off")

  products_of lattice
  for type in sc bcc fcc hcp; do
    product "lattice-$type-walls" lattice "${lattice[@]}" --type $type --spacing 0.9 --cells 3 3 3 --jitter 0.5 --random-orientation --walls
  done
  products_of from
  product from-walls from "$products/poses.csv" "${mixed[@]}" --walls 0.3
  products_of scatter
  for container in "${containers[@]}"; do
    product "scatter-${container%%:*}" scatter "${mixed[@]}" --container "$container" --solid-fraction 0.15
  done
  product scatter-graded scatter "${mixed[@]}" --container box:3,3,3 --number 30 --grading lognormal:0.4,0.3
  products_of fill
  for container in "${containers[@]}"; do
    product "fill-${container%%:*}" fill "${mixed[@]}" --container "$container" --solid-fraction 0.4
  done
  products_of "fill --jammed"
  for container in box:3,3,3 periodic:3,3,3 cylinder:1.6,3 "mesh:$products/cube.off"; do
    product "jammed-${container%%:*}" fill --shapes "$products/ball.shp" --container "$container" --jammed
  done
  for type in dodecahedron brick tetrahedron boulder; do
    product "jammed-$type" fill --shapes "$data/$type.shp" --container periodic:3,3,3 --number 100 --jammed
  done
  # Bodies that touch from the start: at rest, or under a pressure.
  products_of "fill --pressure"
  touching=20
  for container in box:3,3,3 periodic:3,3,3 cylinder:1.4,4 drum:1.4,4; do
    product "pressed-${container%%:*}" fill "${mixed[@]}" --container "$container" --number 80 --pressure 1e4
  done
  touching=4
  product pressed-layer fill --shapes "$products/box.shp" --container cylinder:1.2,3 --number 40 --pressure 1000 --friction 0.5
  touching=20
  product pressed-rough fill "${mixed[@]}" --container periodic:3,3,3 --number 80 --friction 0.8
  product pressed-triaxial fill "${mixed[@]}" --container periodic:3,3,3 --number 80 --pressure 1e4 --drive triaxial:1e4,0.05,0.1
  touching=0
  products_of "settle and compact"
  touching=10
  for container in box cylinder sphere drum hopper mesh; do
    product "settle-$container" settle "scatter-$container/conf0" --until-rest
  done
  touching=0
  for container in box periodic; do
    product "loose-$container" scatter "${mixed[@]}" --container $container:3,3,3 --solid-fraction 0.2 --gravity 0 0 0 --mu 0.3
    touching=20
    product "compact-$container" compact "loose-$container/conf0" --pressure 1e4
    touching=0
  done
  product loose-tall scatter "${mixed[@]}" --container periodic:2.4,6,2.4 --solid-fraction 0.2 --gravity 0 0 0 --mu 0.3
  touching=20
  product compact-box-y compact loose-box/conf0 --pressure 1e4 --axes y
  product compact-periodic-y compact loose-tall/conf0 --pressure 1e4 --axes y
  touching=0
  product loose-cylinder scatter "${mixed[@]}" --container cylinder:1.6,3 --solid-fraction 0.2 --gravity 0 0 0 --mu 0.3
  touching=20
  product compact-cylinder compact loose-cylinder/conf0 --pressure 1e4 --axes y
  products_of "drives of compacted samples"
  product cylinder-oedometer compact loose-cylinder/conf0 --pressure 1e4 --axes y --drive oedometer:2e4 --duration 0.5
  for container in box periodic; do
    for drive in isotropic:2e4 triaxial:1e4,0.05,0.1 oedometer:2e4; do
      product "$container-${drive%%:*}" compact "loose-$container/conf0" --pressure 1e4 --drive "$drive" --duration 0.5
    done
  done
  product periodic-shear compact loose-periodic/conf0 --pressure 1e4 --drive shear:1e4,0.1,0.1 --duration 0.5
  products_of "drives of bodies at rest"
  product settled-drum settle scatter-drum/conf0 --until-rest --drive drum:1 --duration 2
  product settled-vibration settle scatter-box/conf0 --until-rest --drive vibration:0.02,10 --duration 2
  touching=0
  products_of laws
  for law in $(rockable --list laws | awk '{ print $1 }'); do
    product "law-$law-fill" fill "${mixed[@]}" --container box:3,3,3 --solid-fraction 0.4 --law "$law"
    touching=20
    if [ "$law" = GeoVisc ]; then # friction that is viscous lets bodies creep: they never rest
      product law-GeoVisc-settled settle law-GeoVisc-fill/conf0 --until 1
    else
      product "law-$law-pressed" fill "${mixed[@]}" --container periodic:3,3,3 --number 80 --pressure 1e4 --law "$law"
    fi
    touching=0
  done
  # The packings of data/ with the stiffness that packgen chooses, until bodies have fallen.
  products_of "stiffness chosen for the cases of data"
  steps=8000
  product data-heap from "$root/data/heap/poses.csv" --shapes "$root/data/heap/conf0.shp" --mu 0.6 --duration 3
  product data-drum fill "${mixed[@]:0:8}" --container drum:2,2 --number 32 --mu 0.5 --drive drum:1 --duration 4
  product data-boulder from "$root/data/boulder-on-slope/poses.csv" --shapes "$root/data/boulder-on-slope/conf0.shp" --density 2600 --mu 0.4 --duration 3
  product data-triaxial lattice "${lattice[@]:0:4}" --cells 5 5 5 --spacing 0.66 --random-orientation --walls 0 --mu 0.4 --duration 2
  steps=1000
  products_of
}
