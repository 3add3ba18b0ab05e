;; Dot products of rows of weights with vectors of 16-bit integers, on the 128-bit lanes every engine has.
;;
;;   out[v * rows + r] = Σ weights[r][c] · x[v][c]     for every row r and vector v
;;
;; Weights lie in tiles of four rows by eight columns (tiles.ts), so that memory is read in one straight line, which is
;; three times as fast as four; `bandBytes` lead from four rows to the next four. A band stays in the innermost cache
;; while every vector passes over it: weights are read from memory once, however many vectors there are.
;;
;; Sums are 32-bit and wrap; whoever scales the integers sees to it that no sum needs more (numbers.ts), so the order of
;; adding does not matter and a plain loop gives the same bits (plain.ts).
(module
  (import "env" "memory" (memory 0))

  ;; Four vectors of four partial sums become one vector of four sums.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; 16-bit weights. Vectors come in pairs: the two halves of a split number.
  (func (export "dots16")
    (param $weights i32) (param $bandBytes i32) (param $rows i32) (param $columns i32)
    (param $x i32) (param $vectors i32) (param $out i32)
    (local $row i32) (local $vector i32) (local $tile i32) (local $xa i32) (local $xb i32) (local $xEnd i32)
    (local $target i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local $b0 v128) (local $b1 v128) (local $b2 v128) (local $b3 v128)
    (local $a v128) (local $b v128) (local $w v128)
    (loop $everyBand
      (local.set $vector (i32.const 0))
      (local.set $xb (local.get $x))
      (local.set $target (i32.add (local.get $out) (i32.shl (local.get $row) (i32.const 2))))
      (loop $everyPair
        (local.set $tile (local.get $weights))
        (local.set $xa (local.get $xb))
        (local.set $xb (i32.add (local.get $xa) (i32.shl (local.get $columns) (i32.const 1))))
        (local.set $xEnd (local.get $xb))
        (local.set $a0 (v128.const i32x4 0 0 0 0)) (local.set $b0 (v128.const i32x4 0 0 0 0))
        (local.set $a1 (v128.const i32x4 0 0 0 0)) (local.set $b1 (v128.const i32x4 0 0 0 0))
        (local.set $a2 (v128.const i32x4 0 0 0 0)) (local.set $b2 (v128.const i32x4 0 0 0 0))
        (local.set $a3 (v128.const i32x4 0 0 0 0)) (local.set $b3 (v128.const i32x4 0 0 0 0))
        (loop $everyTile
          (local.set $a (v128.load (local.get $xa)))
          (local.set $b (v128.load (local.get $xb)))
          (local.set $w (v128.load (local.get $tile)))
          (local.set $a0 (i32x4.add (local.get $a0) (i32x4.dot_i16x8_s (local.get $a) (local.get $w))))
          (local.set $b0 (i32x4.add (local.get $b0) (i32x4.dot_i16x8_s (local.get $b) (local.get $w))))
          (local.set $w (v128.load offset=16 (local.get $tile)))
          (local.set $a1 (i32x4.add (local.get $a1) (i32x4.dot_i16x8_s (local.get $a) (local.get $w))))
          (local.set $b1 (i32x4.add (local.get $b1) (i32x4.dot_i16x8_s (local.get $b) (local.get $w))))
          (local.set $w (v128.load offset=32 (local.get $tile)))
          (local.set $a2 (i32x4.add (local.get $a2) (i32x4.dot_i16x8_s (local.get $a) (local.get $w))))
          (local.set $b2 (i32x4.add (local.get $b2) (i32x4.dot_i16x8_s (local.get $b) (local.get $w))))
          (local.set $w (v128.load offset=48 (local.get $tile)))
          (local.set $a3 (i32x4.add (local.get $a3) (i32x4.dot_i16x8_s (local.get $a) (local.get $w))))
          (local.set $b3 (i32x4.add (local.get $b3) (i32x4.dot_i16x8_s (local.get $b) (local.get $w))))
          (local.set $tile (i32.add (local.get $tile) (i32.const 64)))
          (local.set $xb (i32.add (local.get $xb) (i32.const 16)))
          (br_if $everyTile
            (i32.lt_u (local.tee $xa (i32.add (local.get $xa) (i32.const 16))) (local.get $xEnd))))
        (v128.store (local.get $target)
          (call $sums (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3)))
        (local.set $target (i32.add (local.get $target) (i32.shl (local.get $rows) (i32.const 2))))
        (v128.store (local.get $target)
          (call $sums (local.get $b0) (local.get $b1) (local.get $b2) (local.get $b3)))
        (local.set $target (i32.add (local.get $target) (i32.shl (local.get $rows) (i32.const 2))))
        (br_if $everyPair
          (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 2))) (local.get $vectors))))
      (local.set $weights (i32.add (local.get $weights) (local.get $bandBytes)))
      (br_if $everyBand
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows)))))

  ;; 8-bit weights, widened as they are loaded. Vectors come one at a time.
  (func (export "dots8")
    (param $weights i32) (param $bandBytes i32) (param $rows i32) (param $columns i32)
    (param $x i32) (param $vectors i32) (param $out i32)
    (local $row i32) (local $vector i32) (local $tile i32) (local $xa i32) (local $xEnd i32) (local $target i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $a v128)
    (loop $everyBand
      (local.set $vector (i32.const 0))
      (local.set $xa (local.get $x))
      (local.set $target (i32.add (local.get $out) (i32.shl (local.get $row) (i32.const 2))))
      (loop $everyVector
        (local.set $tile (local.get $weights))
        (local.set $xEnd (i32.add (local.get $xa) (i32.shl (local.get $columns) (i32.const 1))))
        (local.set $a0 (v128.const i32x4 0 0 0 0)) (local.set $a1 (v128.const i32x4 0 0 0 0))
        (local.set $a2 (v128.const i32x4 0 0 0 0)) (local.set $a3 (v128.const i32x4 0 0 0 0))
        (loop $everyTile
          (local.set $a (v128.load (local.get $xa)))
          (local.set $a0 (i32x4.add (local.get $a0)
            (i32x4.dot_i16x8_s (local.get $a) (v128.load8x8_s (local.get $tile)))))
          (local.set $a1 (i32x4.add (local.get $a1)
            (i32x4.dot_i16x8_s (local.get $a) (v128.load8x8_s offset=8 (local.get $tile)))))
          (local.set $a2 (i32x4.add (local.get $a2)
            (i32x4.dot_i16x8_s (local.get $a) (v128.load8x8_s offset=16 (local.get $tile)))))
          (local.set $a3 (i32x4.add (local.get $a3)
            (i32x4.dot_i16x8_s (local.get $a) (v128.load8x8_s offset=24 (local.get $tile)))))
          (local.set $tile (i32.add (local.get $tile) (i32.const 32)))
          (br_if $everyTile
            (i32.lt_u (local.tee $xa (i32.add (local.get $xa) (i32.const 16))) (local.get $xEnd))))
        (v128.store (local.get $target)
          (call $sums (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3)))
        (local.set $target (i32.add (local.get $target) (i32.shl (local.get $rows) (i32.const 2))))
        (br_if $everyVector
          (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 1))) (local.get $vectors))))
      (local.set $weights (i32.add (local.get $weights) (local.get $bandBytes)))
      (br_if $everyBand
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows)))))
)
