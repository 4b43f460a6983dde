" Vim syntax of scene files. Written by `scenec-dev editors`; do not edit by hand.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync minlines=200
setlocal iskeyword+=-
syntax keyword sceneReserved and else for if in keyframes let not or
syntax keyword sceneConstant true false none
syntax keyword sceneDeclaration edition import param fn component style effect transition filter paint over after with as
syntax match sceneElement /^\s*\<\(arc\|arrow\|audio\|camera\|captions\|change\|circle\|clip\|column\|description\|each\|ellipse\|expect\|from\|grid\|group\|image\|line\|marker\|mask\|math\|output\|part\|particles\|path\|polygon\|polyline\|project\|rect\|repeat\|row\|scene\|sequence\|slot\|span\|star\|step\|steps\|svg\|text\|to\|video\)\>\ze\(\s*[{"$]\|\s\+\k\|\s*$\)/
syntax match sceneProperty /\<\(align\|align-content\|align-self\|along\|along-shape\|alpha\|alt\|anchor\|aperture\|at\|audio\|author\|backdrop-filter\|backface\|background\|baseline-shift\|bitrate\|bits\|blend\|blend-frames\|blur\|boil\|burst\|cap\|captions\|channels\|chapter\|clip\|closed\|codec\|columns\|comment\|content\|copies\|copy\|corner-radius\|corner-smoothing\|damaged\|dash\|dash-offset\|data\|decorative\|described\|direction\|dolly\|drag\|easing\|edge\|emit\|emit-for\|enter\|exit\|fade-in\|fade-out\|features\|fill\|filter\|fit\|fit-width\|flash-limit\|focus\|focus-distance\|font\|font-axes\|font-size\|font-weight\|font-width\|fonts\|for\|fps\|frame-rate\|from\|gap\|golden\|gravity\|grow\|head\|heading\|image-rendering\|inherit\|inner-radius\|invert\|italic\|join\|justify\|kind\|label\|language\|layout\|letter-spacing\|level\|life\|light\|limits\|line-height\|look-at\|loop\|loudness\|luminance\|math-style\|max-height\|max-lines\|max-width\|min-height\|min-width\|miter-limit\|mixing\|motion-blur\|opacity\|optical-size\|orbit\|order\|orient\|overlap\|padding\|padding-bottom\|padding-left\|padding-right\|padding-top\|paint-order\|pan\|params\|peak\|perspective\|perspective-origin\|pitch\|pivot\|pixel-format\|placeholder\|points\|position\|preset\|prewarm\|profile\|profile-of\|quality\|radius\|rate\|root\|rotate\|rotate-x\|rotate-y\|rough\|rough-seed\|route\|sample-rate\|samples\|scale\|seed\|shadow\|shape\|size\|skew\|source\|speech\|speed\|spread\|stagger\|start\|start-offset\|step-offset\|step-opacity\|step-rotate\|step-rotate-x\|step-rotate-y\|step-scale\|step-translate\|step-translate-z\|stretch\|stroke\|stroke-profile\|stroke-scale\|stroke-width\|style\|sweep\|syntax\|syntax-colors\|tabular\|tail\|taper\|tempo\|time\|time-step\|title\|to\|tolerance\|transition\|translate\|translate-z\|trim\|trim-offset\|turbulence\|turbulence-scale\|underline\|visible\|volume\|width\|wrap\|z\|zoom\)\>\ze\s*:/
syntax match sceneFunction /\<\(abs\|all\|alpha\|angle-at\|any\|apart\|at-time\|atan2\|beats\|blur\|brightness\|brush\|ceil\|chroma-key\|circle\|clamp\|code-spans\|concat\|conic-gradient\|contains\|contrast\|contrast-of\|cos\|covered\|cubic-bezier\|darken\|data\|defined\|delay\|distance\|dot\|duck\|ellipse\|ends-with\|exclude\|exp\|first\|flashes\|floor\|fold\|format\|fract\|from-linear\|grayscale\|hsl\|hue-rotate\|inside\|intersect\|invert\|join\|last\|len\|length-of\|level\|lighten\|line-count\|linear\|linear-gradient\|log\|loop\|loudness\|lower\|luminance\|lut\|map-range\|max\|mean\|min\|mix\|mod\|noise\|norm\|offset\|oklch\|opacity-of\|overlaps\|path\|pattern\|peak\|point-at\|polygon\|pow\|radial-gradient\|random\|readable\|rect\|replace\|reverse\|reverse-list\|rgb\|round\|sample\|saturate\|scan\|sepia\|shadow\|sin\|smooth-step\|sort\|split\|spring\|sqrt\|srgb\|starts-with\|steps\|still\|stop\|subtract\|sum\|tan\|to-linear\|trim\|turn\|union\|upper\|versions\|wave\|wiggle\|zip\)\>\ze(/
syntax match sceneNumber /\<\d[0-9_]*\(\.\d\+\)\?\(e[+-]\?\d\+\)\?\(px\|%\|ms\|min\|s\|f\|beat\|deg\|rad\|turn\|dB\|Hz\|kHz\|kbps\|Mbps\)\?/
syntax match sceneNumber /\<\d\+x\d\+\>/
syntax match sceneColor /#\x\{3,8}\>/
syntax match sceneOperator /->\|\.\.\|[?:=<>!]=\?/
syntax region sceneString start=/"/ skip=/\\./ end=/"/ contains=sceneEscape,sceneValue
syntax region sceneString start=/"""/ skip=/\\./ end=/"""/ contains=sceneEscape,sceneValue
syntax region sceneString oneline start=/\$/ skip=/\\./ end=/\$/
syntax region sceneString start=/\$\$/ skip=/\\./ end=/\$\$/
syntax match sceneEscape /\\\(u{\x\+}\|.\)/ contained
syntax region sceneValue start=/{/ end=/}/ contained contains=TOP
syntax match sceneComment +//.*$+
syntax match sceneDoc +///.*$+
syntax region sceneComment start=+/\*+ end=+\*/+ contains=sceneComment

highlight default link sceneReserved Statement
highlight default link sceneDeclaration Keyword
highlight default link sceneConstant Constant
highlight default link sceneElement Type
highlight default link sceneProperty Identifier
highlight default link sceneFunction Function
highlight default link sceneNumber Number
highlight default link sceneColor Constant
highlight default link sceneOperator Operator
highlight default link sceneString String
highlight default link sceneEscape SpecialChar
highlight default link sceneValue Special
highlight default link sceneComment Comment
highlight default link sceneDoc SpecialComment

let b:current_syntax = "scene"
