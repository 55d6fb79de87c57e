// Runs in CloudFront before each request to the console. lib/front-door/viewer-functions.ts appends a constant.
// ALLOWED: networks that may open the console, each as family and prefix bits, such as 400001010. An empty list allows
// all networks.
// CloudFront's runtime does not support destructuring or spread.

function bits(text, radix, length) {
  return Number.parseInt(text, radix).toString(2).padStart(length, '0');
}

function groupsOf(half) {
  return half.split(':').filter((group) => group !== '');
}

/** Returns the family and the bits of an address, such as 400001010... */
function bitsOf(address) {
  if (!address.includes(':')) {
    const parts = address.split('.').map((part) => bits(part, 10, 8));
    return `4${parts.join('')}`;
  }
  const halves = address.split('::').map(groupsOf);
  let groups = halves[0];
  if (halves.length > 1) groups = groups.concat(Array(8 - groups.length - halves[1].length).fill('0'), halves[1]);
  return `6${groups.map((group) => bits(group, 16, 16)).join('')}`;
}

function isAllowed(address) {
  if (ALLOWED.length === 0) return true;
  const viewer = bitsOf(address);
  return ALLOWED.some((network) => viewer.startsWith(network));
}

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request;
  if (!isAllowed(event.viewer.ip))
    return {
      statusCode: 403,
      statusDescription: 'Forbidden',
      headers: {
        'content-type': { value: 'text/plain; charset=utf-8' },
        'cache-control': { value: 'no-store' },
        'x-content-type-options': { value: 'nosniff' },
      },
      body: {
        encoding: 'text',
        data: 'The console cannot be opened from this network: the setting consoleAllow does not include it.',
      },
    };
  if (request.uri === '/console')
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/console/' } } };
  // All other paths are routes of the single page.
  if (!request.uri.startsWith('/console/assets/') && request.uri !== '/console/config.json')
    request.uri = '/console/index.html';
  return request;
}
