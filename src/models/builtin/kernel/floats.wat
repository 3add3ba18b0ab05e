;; What is done to every number of a vector, four at a time, in 32-bit floats. Counts are multiples of eight. Nothing here is
;; fused or reordered, so plain.ts can do the same step by step and come to the same bits.
(module
  (import "env" "memory" (memory 0))

  ;; y[i] = sums[i] · unit · units[i] + bias[i]: what integers of a product are worth.
  (func (export "settle")
    (param $sums i32) (param $count i32) (param $unit f32) (param $units i32) (param $bias i32) (param $y i32)
    (local $end i32) (local $u v128)
    (local.set $u (f32x4.splat (local.get $unit)))
    (local.set $end (i32.add (local.get $sums) (i32.shl (local.get $count) (i32.const 2))))
    (loop $everyFour
      (v128.store (local.get $y)
        (f32x4.add
          (f32x4.mul
            (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $sums))) (local.get $u))
            (v128.load (local.get $units)))
          (v128.load (local.get $bias))))
      (local.set $units (i32.add (local.get $units) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (br_if $everyFour
        (i32.lt_u (local.tee $sums (i32.add (local.get $sums) (i32.const 16))) (local.get $end)))))

  ;; The largest of all numbers, by size.
  (func (export "largest") (param $x i32) (param $count i32) (result f32)
    (local $end i32) (local $most v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (loop $everyFour
      (local.set $most (f32x4.max (local.get $most) (f32x4.abs (v128.load (local.get $x)))))
      (br_if $everyFour
        (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))

  ;; into[i] = x[i] · each, rounded to the nearest 16-bit integer, of two the even one.
  (func (export "round") (param $x i32) (param $count i32) (param $each f32) (param $into i32)
    (local $end i32) (local $e v128)
    (local.set $e (f32x4.splat (local.get $each)))
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (loop $everyEight
      (v128.store (local.get $into)
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load (local.get $x)) (local.get $e))))
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=16 (local.get $x)) (local.get $e))))))
      (local.set $into (i32.add (local.get $into) (i32.const 16)))
      (br_if $everyEight
        (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 32))) (local.get $end)))))

  ;; x · Φ(x) in place. Φ(x) − ½ is odd, and between −4.2 and 4.2 a polynomial of degree 17 in t = x ÷ 4.2 comes within
  ;; 0.00003 of it; beyond that it hardly changes.
  (func (export "gelu") (param $x i32) (param $count i32)
    (local $end i32) (local $v v128) (local $t v128) (local $s v128) (local $p v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (loop $everyFour
      (local.set $v (v128.load (local.get $x)))
      (local.set $t (f32x4.mul (local.get $v) (f32x4.splat (f32.const 0.2380952388048172))))
      (local.set $t (f32x4.min (local.get $t) (f32x4.splat (f32.const 1))))
      (local.set $t (f32x4.max (local.get $t) (f32x4.splat (f32.const -1))))
      (local.set $s (f32x4.mul (local.get $t) (local.get $t)))
      (local.set $p (f32x4.splat (f32.const 1.9386930465698242)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -10.704459190368652))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const 26.224918365478516))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -37.94476318359375))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const 36.533233642578125))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -25.047008514404297))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const 12.73052978515625))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -4.906259059906006))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const 1.6751052141189575))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $t)) (f32x4.splat (f32.const 0.5))))
      (v128.store (local.get $x) (f32x4.mul (local.get $p) (local.get $v)))
      (br_if $everyFour
        (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))
)
