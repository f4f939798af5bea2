import { serveSandbox } from './serve-sandbox';
import { compileText } from './compile-text';
import type { Compilation, Outcome } from './compile-text';

// Warm-up: the first run of a compiler is several times slower.
compileText({ field: 'css', text: '$a: 1px; @media print { .a, .b { &:hover { width: $a * 2; } } }', scope: '.a' });
compileText({ field: 'html', text: '<p title="A">B &amp; C</p>', scope: '' });

serveSandbox<Compilation, Outcome>(compileText);
