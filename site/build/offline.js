// The service worker: once loaded, the page works without a network.
const NAME = "kanshape-__VERSION__";
const FILES = [/* files */];
const REST = [/* rest */];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith("kanshape-") && name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
  // The manual and the example models follow behind, and nobody waits for them: what does not come is kept when it is visited.
  caches.open(NAME).then((cache) => cache.addAll(REST)).catch(() => {});
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const answer = async () => {
    const cache = await caches.open(NAME);
    const known = await cache.match(request, { ignoreSearch: true });
    if (known) return known;
    const response = await fetch(request);
    // A model that a program has been given is not the page's.
    if (response.ok && !request.url.endsWith("/given.onnx")) await cache.put(request, response.clone());
    return response;
  };
  event.respondWith(answer());
});
