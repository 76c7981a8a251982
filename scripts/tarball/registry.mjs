// A registry on this machine that has our three tarballs and leads to the real one for everything else, so that blank
// projects install our packages as users will: by name, without our lock file, overrides or links.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

/** `tarballs`: by package name, `{ file, manifest }`. Resolves to `{ url, close }`. */
export async function openRegistry(tarballs, upstream) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1);
    const file = Object.values(tarballs).find((each) => `tarballs/${basename(each.file)}` === path)?.file;
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(readFileSync(file));
      return;
    }
    const found = tarballs[path];
    if (found === undefined) {
      response.writeHead(307, { location: new URL(request.url, upstream).href }).end();
      return;
    }
    const { version } = found.manifest;
    const bytes = readFileSync(found.file);
    const dist = {
      tarball: `http://${request.headers.host}/tarballs/${basename(found.file)}`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
    };
    const packument = {
      name: path,
      'dist-tags': { latest: version },
      // Installers that wait until a version is old enough ask for its time.
      time: { [version]: '2020-01-01T00:00:00.000Z' },
      versions: { [version]: { ...found.manifest, dist } },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
