// SPDX-License-Identifier: GPL-3.0-or-later
// The page that conf2vtk --html writes. Stands below three.js and OrbitControls in one module, so
// their names are plain names here. Text from files reaches the page as text nodes only.
{
const element = id => document.getElementById(id);
const data = JSON.parse(element('scene').textContent);

// ---- data -------------------------------------------------------------------------------------

const decoded = [];
function bytes(k) {
  if (!decoded[k]) {
    const text = atob(data.blobs[k]), out = new Uint8Array(text.length);
    for (let i = 0; i < out.length; ++i) out[i] = text.charCodeAt(i);
    decoded[k] = out.buffer;
    data.blobs[k] = null;
  }
  return decoded[k];
}
const floats = k => new Float32Array(bytes(k));

/// The numbers of a frame, decoded when it is first shown.
const frames = [];
function frameAt(k) {
  if (frames[k]) return frames[k];
  const from = data.frames[k];
  const f = {
    time: from.time, source: from.source, bodies: from.bodies,
    id: new Int32Array(bytes(from.id)), shape: new Uint32Array(bytes(from.shape)), position: floats(from.position),
    orientation: new Int16Array(bytes(from.orientation)), homothety: floats(from.homothety),
    driven: new Uint8Array(bytes(from.driven)), values: from.values.map(floats), walls: from.walls, cell: from.cell, centre: from.centre
  };
  for (const kind of ['chains', 'bonds'])
    if (from[kind])
      f[kind] = {ends: new Uint16Array(bytes(from[kind].ends)), values: floats(from[kind].values),
                 radius: floats(from[kind].radius)};
  return frames[k] = f;
}

/// Where a body stands in a frame, or -1: files may hold a part of the bodies.
const indexOf = (frame, id) => frame.id.indexOf(id);

const vec = a => new Vector3(a[0], a[1], a[2]);
const low = vec(data.low), high = vec(data.high), up = vec(data.up), half = vec(data.half);
const radius = Math.max(half.length(), 1e-30);

/// Six digits at most.
const text = number => {
  if (!Number.isFinite(number)) return '–';
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? number.toExponential(4)
                                                    : String(Number(number.toPrecision(6)));
};

// ---- colours ----------------------------------------------------------------------------------

const viridis = ['440154', '482878', '3b518b', '2c718e', '21908d', '27ad81', '5cc863', 'aadc32', 'fde725']
  .map(hex => new Color(parseInt(hex, 16)));
function onScale(share, out) {
  const s = Math.min(Math.max(share, 0), 1) * (viridis.length - 1), k = Math.min(Math.floor(s), viridis.length - 2);
  return out.copy(viridis[k]).lerp(viridis[k + 1], s - k);
}
/// Neighbouring numbers get hues far from each other.
const hueOf = value => (0.58 + 0.61803398875 * value) % 1;
const categoryColour = (value, out) => out.setHSL((hueOf(value) + 1) % 1, 0.55, 0.55);
const ranks = data.arrays.map(array => new Map(array.ranks));

const state = {
  frame: 0, array: data.array,
  selected: -1  // id of a body
};

function colourOf(frame, body, out) {
  if (frame.id[body] === state.selected) return out.setRGB(1, 0.25, 0.1);
  const array = data.arrays[state.array];
  if (!array) return out.setRGB(0.7, 0.65, 0.55);
  const value = frame.values[state.array][body];
  if (array.category) return categoryColour(ranks[state.array].get(value) || 0, out);
  if (!(array.low < array.high)) return out.setRGB(0.7, 0.65, 0.55);  // all are equal
  return onScale((value - array.low) / (array.high - array.low), out);
}

// ---- scene ------------------------------------------------------------------------------------

const canvas = element('view');
let renderer = null;
try {
  renderer = new WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
} catch (error) {
  element('trouble').textContent = 'This browser shows no WebGL, which the page draws with: ' + error.message;
  element('trouble').hidden = false;
  throw error;
}
renderer.setClearColor(0xffffff);
renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
const world = new Scene();
const camera = new PerspectiveCamera(35, 1, radius / 100, radius * 100);
camera.up.copy(up);
/// The view that pictures have of what is framed.
function home() {
  const aspect = Math.max(canvas.clientWidth, 1) / Math.max(canvas.clientHeight, 1);
  const distance = Math.max(half.y, half.x / aspect) * 1.15 / Math.tan(camera.fov / 360 * Math.PI) / data.zoom + half.z;
  camera.position.copy(vec(data.towards)).multiplyScalar(Math.max(distance, radius / 50));
}
home();
const controls = new OrbitControls(camera, canvas);
controls.enableKeys = false;
controls.screenSpacePanning = true;
const lamp = new DirectionalLight(0xffffff, 0.75);
lamp.position.set(-0.4, 0.8, 1);
camera.add(lamp);
world.add(camera, new HemisphereLight(0xffffff, 0x8d939b, 0.55));

const material = (options) => new MeshPhongMaterial(Object.assign({side: DoubleSide, shininess: 15, specular: 0x222222}, options));
// Driven bodies and walls are drawn first, whatever stands in front, and their depths are forgotten then: they never hide
// what moves. For that all are in the list of transparent things, which goes by renderOrder.
const glass = {transparent: true, opacity: 0.16, depthWrite: false}, opaque = {transparent: true, opacity: 1, depthWrite: true};
const forget = new Mesh(new BufferGeometry(), material({transparent: true}));
forget.geometry.setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
forget.frustumCulled = false;
forget.renderOrder = 0.5;
forget.onBeforeRender = () => {
  renderer.state.buffers.depth.setMask(true);  // else nothing is cleared behind a translucent body
  renderer.clearDepth();
};
world.add(forget);

// Bodies of one shape are one draw call: those that move, those that are driven, those that are translucent.
function mostOf(shape, driven) {
  let most = 0;
  for (const from of data.frames) {
    const shapes = new Uint32Array(bytes(from.shape)), drivens = new Uint8Array(bytes(from.driven));
    let count = 0;
    for (let b = 0; b < from.bodies; ++b) if (shapes[b] === shape && drivens[b] === driven) ++count;
    most = Math.max(most, count);
  }
  return most;
}
function geometryOf(points, triangles, normals) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(floats(points), 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(bytes(triangles)), 1));
  if (normals !== undefined && floats(normals).length > 0) geometry.setAttribute('normal', new BufferAttribute(floats(normals), 3));
  else geometry.computeVertexNormals();
  return geometry;
}
const crowds = [];
function addCrowd(geometry, most, look, order) {
  const colour = new InstancedBufferAttribute(new Float32Array(3 * most), 3);
  geometry.setAttribute('color', colour);
  const mesh = new InstancedMesh(geometry, material(Object.assign({vertexColors: VertexColors}, look)), most);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  world.add(mesh);
  return {mesh, colour};
}
data.shapes.forEach((shape, index) => {
  for (const driven of [0, 1, 2]) {
    const most = mostOf(index, driven);
    if (most === 0) continue;
    const crowd = addCrowd(geometryOf(shape.points, shape.triangles, shape.normals), most, driven === 2 ? glass : opaque, [1, 0, 0.2][driven]);
    crowds.push(Object.assign(crowd, {shape: index, driven, body: new Int32Array(most)}));
  }
});

// Chains and bonds are tubes; each kind that no frame has is null.
function tubesOf(kind) {
  const most = data.frames.reduce((most, f) => Math.max(most, f[kind] ? bytes(f[kind].values).byteLength / 4 : 0), 0);
  return most > 0 ? addCrowd(new CylinderBufferGeometry(1, 1, 1, 10, 1, true), most, opaque, 1) : null;
}
const chainTubes = tubesOf('chains'), bondTubes = tubesOf('bonds');
const edges = new Group(), walls = new Group();
world.add(edges, walls);
let paths = null;
if (data.tracks) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(floats(data.tracks.ends), 3));
  paths = new LineSegments(geometry, new LineBasicMaterial({color: 0x7a1f5c, transparent: true}));
  paths.frustumCulled = false;
  paths.renderOrder = 3;
  world.add(paths);
}

const wallMeshes = new Map();
function wallMesh(wall) {
  const key = wall.points + ' ' + wall.triangles;
  if (!wallMeshes.has(key)) {
    const mesh = new Mesh(geometryOf(wall.points, wall.triangles), material(Object.assign({color: 0x8899aa}, glass, {opacity: 0.12})));
    mesh.renderOrder = 0.2;
    wallMeshes.set(key, mesh);
  }
  return wallMeshes.get(key);
}

const at = new Vector3(), turn = new Quaternion(), scale = new Vector3(), matrix = new Matrix4(), tint = new Color();
function poseOf(frame, body) {
  at.fromArray(frame.position, 3 * body);
  turn.fromArray(frame.orientation, 4 * body).normalize();
  scale.setScalar(frame.homothety[body]);
}
const visible = (frame, body) => element(frame.driven[body] ? 'showWalls' : 'showBodies').checked;

function placeBodies(frame) {
  const veiled = (chainTubes && element('showChains').checked) || (bondTubes && !data.explode && element('showBonds').checked);
  for (const crowd of crowds) {
    let count = 0;
    for (let b = 0; b < frame.bodies; ++b) {
      if (frame.shape[b] !== crowd.shape || frame.driven[b] !== crowd.driven || !visible(frame, b)) continue;
      poseOf(frame, b);
      crowd.mesh.setMatrixAt(count, matrix.compose(at, turn, scale));
      if (crowd.driven && frame.id[b] !== state.selected) tint.setRGB(0.55, 0.58, 0.62);
      else colourOf(frame, b, tint);
      tint.toArray(crowd.colour.array, 3 * count);
      crowd.body[count++] = b;
    }
    crowd.mesh.count = count;
    crowd.mesh.visible = count > 0;
    crowd.mesh.instanceMatrix.needsUpdate = true;
    crowd.colour.needsUpdate = true;
    if (!crowd.driven) {
      // Bodies let force chains shine through.
      Object.assign(crowd.mesh.material, veiled ? glass : opaque);
      crowd.mesh.renderOrder = veiled ? 2 : 1;
    }
  }
}

const size = new Vector3().subVectors(high, low), yAxis = new Vector3(0, 1, 0);
/// Chains: pale to strong by the root of the force. Bonds: by load, and what is broken or not known.
const pale = new Color(0xf2c14e), strong = new Color(0xb3123b);
const chainColour = (fn, out) => out.copy(pale).lerp(strong, Math.sqrt(Math.max(fn, 0) / (data.highestForce || 1)));
const idle = new Color(0x1f9bd8), breaking = new Color(0xffc81f);
const bondColour = (load, out) => load === 2 ? out.set(0xb3000f) : load >= 0 ? out.copy(idle).lerp(breaking, Math.min(load, 1)) : out.set(0x8c8c8a);
function placeTubes(tubes, sticks, colour) {
  if (!tubes) return;
  const count = sticks ? sticks.values.length : 0;
  const from = new Vector3(), to = new Vector3();
  for (let k = 0; k < count; ++k) {
    const end = (out, e) => out.set(...[0, 1, 2].map(c => low.getComponent(c) + size.getComponent(c) * sticks.ends[6 * k + e + c] / 65535));
    end(from, 0);
    end(to, 3);
    const along = to.clone().sub(from), length = along.length();
    if (length > 0) turn.setFromUnitVectors(yAxis, along.divideScalar(length));
    at.addVectors(from, to).multiplyScalar(0.5);
    tubes.mesh.setMatrixAt(k, matrix.compose(at, turn, scale.set(sticks.radius[k], Math.max(length, 1e-30), sticks.radius[k])));
    colour(sticks.values[k], tint).toArray(tubes.colour.array, 3 * k);
  }
  tubes.mesh.count = count;
  tubes.mesh.visible = count > 0;
  tubes.mesh.instanceMatrix.needsUpdate = true;
  tubes.colour.needsUpdate = true;
}

function placeSurroundings(frame) {
  edges.remove(...edges.children);
  if (frame.cell !== undefined && element('showCell').checked) {
    const corners = floats(frame.cell), lines = [];
    for (let k = 0; k < 8; ++k)
      for (const bit of [1, 2, 4])
        if (!(k & bit)) for (const end of [k, k | bit]) lines.push(...corners.subarray(3 * end, 3 * end + 3));
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(lines, 3));
    const box = new LineSegments(geometry, new LineBasicMaterial({color: 0x334455, transparent: true}));
    box.renderOrder = 1;
    edges.add(box);
  }
  walls.remove(...walls.children);
  if (element('showWalls').checked) for (const wall of frame.walls) walls.add(wallMesh(wall));
  if (!paths) return;
  paths.visible = element('showTracks').checked;
  paths.geometry.setDrawRange(0, 2 * new Uint32Array(bytes(data.tracks.upTo))[state.frame]);
}

let drawn = false;
function draw() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    renderer.render(world, camera);
    placeBar();
  });
}

/// A bar of a round length, true in the plane through the point that the camera turns about.
function placeBar() {
  const height = canvas.clientHeight || 1;
  const pixel = 2 * camera.position.distanceTo(controls.target) * Math.tan(camera.fov / 360 * Math.PI) / height;
  const power = Math.pow(10, Math.floor(Math.log10(150 * pixel)));
  const length = power * [5, 2, 1].find(digit => digit * power <= 150 * pixel);
  element('bar').style.width = length / pixel + 'px';
  element('bar').textContent = text(length) + ' m';
}

// ---- panels -----------------------------------------------------------------------------------

const withUnit = array => array.unit ? array.name + ' (' + array.unit + ')' : array.name;

function showScale() {
  const array = data.arrays[state.array], category = array && array.category;
  element('scale').hidden = !array || category;
  element('limits').textContent = !array || category ? '' :
    text(array.low) + ' to ' + text(array.high) + (array.cut ? ' (1st to 99th percentile)' : '');
  element('scale').style.background = 'linear-gradient(to right,' + viridis.map(c => '#' + c.getHexString()).join(',') + ')';
}

function showBody() {
  const frame = frameAt(state.frame), body = indexOf(frame, state.selected);
  element('body').hidden = body < 0;
  if (body < 0) return;
  element('bodyName').textContent = 'body ' + state.selected;
  const rows = element('numbers');
  rows.textContent = '';
  const row = (name, value) => {
    const line = document.createElement('tr'), head = document.createElement('th'), cell = document.createElement('td');
    head.textContent = name;
    cell.textContent = value;
    line.append(head, cell);
    rows.append(line);
  };
  row('shape', data.shapes[frame.shape[body]].name);
  if (frame.driven[body]) row('', 'driven');
  // The place in the file: free bodies were moved away from the centre.
  const factor = frame.driven[body] ? 1 : 1 + data.explode;
  ['x', 'y', 'z'].forEach((name, c) => row(name + ' (m)', text(
    frame.centre[c] + (frame.position[3 * body + c] - frame.centre[c]) / factor + data.middle[c])));
  data.arrays.forEach((array, k) => {
    if (['shape', 'driven', 'id'].includes(array.name)) return;
    row(withUnit(array), text(frame.values[k][body]));
  });
}

function show() {
  const frame = frameAt(state.frame);
  placeBodies(frame);
  placeTubes(chainTubes, element('showChains').checked ? frame.chains : null, chainColour);
  placeTubes(bondTubes, element('showBonds').checked ? frame.bonds : null, bondColour);
  placeSurroundings(frame);
  element('slider').value = state.frame;
  element('time').textContent = 't = ' + text(frame.time) + ' s · ' + frame.source + ' · ' + (state.frame + 1) + '/' + data.frames.length;
  showBody();
  draw();
}

function takeArray(index) {
  state.array = index;
  element('array').value = index;
  showScale();
  show();
}
function takeFrame(index) {
  state.frame = Math.min(Math.max(index, 0), data.frames.length - 1);
  show();
}

// ---- what users do ----------------------------------------------------------------------------

/// The id of the body at a place of the window, or -1; driven ones only where no other is.
function pick(x, y) {
  const frame = frameAt(state.frame), box = canvas.getBoundingClientRect(), caster = new Raycaster();
  camera.updateMatrixWorld();
  caster.setFromCamera({x: 2 * (x - box.left) / box.width - 1, y: 1 - 2 * (y - box.top) / box.height}, camera);
  let best = {body: -1, distance: Infinity, driven: 1};
  for (const crowd of crowds) {
    const probe = new Mesh(crowd.mesh.geometry, crowd.mesh.material);
    for (let k = 0; k < crowd.mesh.count; ++k) {
      const body = crowd.body[k], hits = [];
      poseOf(frame, body);
      probe.matrixWorld.compose(at, turn, scale);
      probe.raycast(caster, hits);
      const driven = Math.min(crowd.driven, 1);
      for (const {distance} of hits)
        if (driven < best.driven || (driven === best.driven && distance < best.distance)) best = {body, distance, driven};
    }
  }
  return best.body < 0 ? -1 : frame.id[best.body];
}

let pressed = null;
canvas.addEventListener('pointerdown', event => pressed = {x: event.clientX, y: event.clientY});
canvas.addEventListener('click', event => {
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4) return;
  state.selected = pick(event.clientX, event.clientY);
  show();
});
element('close').addEventListener('click', () => { state.selected = -1; show(); });
element('controls').addEventListener('submit', event => event.preventDefault());

data.arrays.forEach((array, k) => {
  const option = document.createElement('option');
  option.value = k;
  option.textContent = withUnit(array);
  element('array').append(option);
});
element('array').addEventListener('change', event => takeArray(Number(event.target.value)));
for (const id of ['showBodies', 'showWalls', 'showTracks', 'showChains', 'showBonds', 'showCell'])
  element(id).addEventListener('input', show);

element('hasWalls').hidden = !data.frames.some(f => f.walls.length > 0 || new Uint8Array(bytes(f.driven)).some(driven => driven > 0));
element('hasTracks').hidden = !paths;
element('hasChains').hidden = !chainTubes;
element('hasBonds').hidden = !bondTubes;
element('hasCell').hidden = !data.frames.some(f => f.cell !== undefined);

let playing = null;
function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => takeFrame((state.frame + 1) % data.frames.length), 100) : null;
  element('play').textContent = on ? '\u275A\u275A' : '\u25B6';
  element('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
}
element('play').addEventListener('click', () => play(playing === null));
element('slider').max = data.frames.length - 1;
element('slider').addEventListener('input', event => { play(false); takeFrame(event.target.valueAsNumber); });
element('timeline').hidden = data.frames.length < 2;
window.addEventListener('keydown', event => {
  if (['INPUT', 'SELECT', 'BUTTON'].includes(event.target.tagName)) return;
  if (event.key === ' ') play(playing === null);
  else if (event.key === 'ArrowRight') takeFrame(state.frame + 1);
  else if (event.key === 'ArrowLeft') takeFrame(state.frame - 1);
  else return;
  event.preventDefault();
});

function fit() {
  const width = Math.max(canvas.clientWidth, 1), height = Math.max(canvas.clientHeight, 1);
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  draw();
}
window.addEventListener('resize', fit);
controls.addEventListener('change', draw);

element('title').textContent = data.title;
element('summary').textContent = data.summary;
fit();
home();
controls.update();
takeArray(state.array);

/// Values for a test in a browser: the data, and where a body stands in the window.
window.scree = {
  data, frame: () => state.frame, ids: () => [...frameAt(state.frame).id],
  placeOf: id => {
    const body = indexOf(frameAt(state.frame), id);
    if (body < 0) return null;
    poseOf(frameAt(state.frame), body);
    const p = at.clone().project(camera), box = canvas.getBoundingClientRect();
    const reach = data.shapes[frameAt(state.frame).shape[body]].reach * scale.x;
    const size = reach / at.distanceTo(camera.position) / Math.tan(camera.fov / 360 * Math.PI) * box.height / 2;
    return {x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height, depth: p.z, size};
  }
};
performance.mark('ready');
document.documentElement.dataset.ready = 'yes';
}
